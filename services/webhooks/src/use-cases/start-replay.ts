import { randomBytes } from "node:crypto";
import type { MerchantScope } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { noUrl, replayRunning } from "../domain/refusals.ts";
import { hurryProbe } from "../store/holds.ts";
import { insertReplay, lastReplay, type ReplayRow } from "../store/replays.ts";
import { findEndpoint } from "../store/webhook-endpoints.ts";

type Range = { from: number; to: number; onlyUndelivered: boolean };

/**
 * Starts a replay of these events in the background. One runs at a time: a repeat of the one that is running returns it, and any
 * other is refused. Undefined if there are no such events.
 */
export async function startReplayOf(pool: Pool, merchant: MerchantScope, range: Range): Promise<ReplayRow | undefined> {
  const started = await insertReplay(pool, merchant, { id: `rpl_${randomBytes(12).toString("hex")}`, ...range });
  if (started) {
    await hurryProbe(pool, merchant);
    return started;
  }
  const [endpoint, last] = await Promise.all([findEndpoint(pool, merchant), lastReplay(pool, merchant)]);
  if (!endpoint?.url) throw noUrl(endpoint);
  // If it has ended by now, it was running when this one was not inserted.
  if (last && isOf(last, range)) return last;
  if (last?.status === "running") throw replayRunning();
}

const isOf = (replay: ReplayRow, { from, to, onlyUndelivered }: Range): boolean =>
  Number(replay.from_sequence) === from &&
  Number(replay.to_sequence) === to &&
  replay.only_undelivered === onlyUndelivered;
