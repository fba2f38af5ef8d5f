import { getLastReplay, type MerchantScope, startReplay } from "@collect/contracts";
import { aMerchant, until, type World } from "@collect/testing";
import { collectionSuccess } from "../src/domain/event.ts";
import { recordEvents } from "../src/store/events.ts";
import { setEndpoint } from "../src/store/webhook-endpoints.ts";
import { aCollection } from "./service.ts";

/** Recorded events that are claimed for an hour and never sent. */
export async function recordedEvents(world: World, merchant: MerchantScope, count: number) {
  const drafts = Array.from({ length: count }, () => collectionSuccess(aCollection({ merchant }), new Date()));
  return recordEvents(world.pool, drafts, 3_600_000);
}

/** Gives all of the merchant's deliveries this status after this many attempts. */
export async function endedAs(world: World, merchant: MerchantScope, status: string, attempts = 1): Promise<void> {
  await world.owner.query(
    `with ended as (
       update deliveries set status = $3, attempts = $4, last_status = case $3 when 'delivered' then 200 else 500 end,
         claimed = false, next_attempt_at = null
       where merchant_id = $1 and mode = $2 returning number, last_status)
     insert into attempts (delivery_number, attempt, started_at, duration_ms, status, response)
     select number, n, '2026-11-21T09:30:00Z', 100, last_status, 'ok' from ended, generate_series(1, $4) n`,
    [merchant.id, merchant.mode, status, attempts],
  );
}

/** A merchant with this many events whose deliveries to this URL have this status; no component needs to run. */
export async function merchantWithHistory(
  world: World,
  { url, count, status, attempts = 1 }: { url: string; count: number; status: string; attempts?: number },
): Promise<MerchantScope> {
  const merchant = aMerchant();
  await setEndpoint(world.pool, { merchant, url, secret: "whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV" });
  await recordedEvents(world, merchant, count);
  await endedAs(world, merchant, status, attempts);
  return merchant;
}

/** Starts a replay of these events. */
export const replayRange = (
  world: World,
  merchant: MerchantScope,
  from_sequence: number,
  to_sequence: number,
  only_undelivered = false,
) => world.others.request(startReplay, { merchant, from_sequence, to_sequence, only_undelivered });

export const lastReplay = async (world: World, merchant: MerchantScope) =>
  (await world.others.request(getLastReplay, { merchant })).replay;

export const untilReplayed = (world: World, merchant: MerchantScope) =>
  until("the replay is done", async () => {
    const replay = await lastReplay(world, merchant);
    return replay?.status === "done" && replay;
  });
