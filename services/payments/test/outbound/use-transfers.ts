import { useWorld, type World } from "@collect/testing";
import { afterAll, beforeEach } from "vitest";
import { directory } from "../inbound/sessions-world.ts";
import { startFakeLedger } from "./fake-ledger.ts";
import { type HttpBank, startBank } from "./http-bank.ts";
import { startFakeWebhooks, startPayments } from "./transfers-world.ts";

export const usePaymentsWorld = () => useWorld({ service: "payments", directory });

/** A world with a fake ledger and fake webhooks, which respond again before each test, and no replica yet. */
export async function useNeighbors() {
  const world = await usePaymentsWorld();
  const [ledger, webhooks] = await Promise.all([startFakeLedger(world), startFakeWebhooks(world)]);
  afterAll(ledger.stop);
  beforeEach(() => {
    ledger.isDown = false;
    webhooks.isDown = false;
  });
  return { world, ledger, webhooks };
}

/** One replica that follows up at once, for the whole test file. */
export async function useTransfers() {
  const neighbors = await useNeighbors();
  const replica = await startPayments(neighbors.world, { transferTimes: { followUpsMs: [0] } });
  afterAll(replica.stop);
  return { ...neighbors, replica };
}

/** A bank for one test, which ignores what other tests left behind. */
export async function startOwnBank(world: World): Promise<HttpBank> {
  await world.owner.query("update transfers set next_at = null, follow_up_at = null");
  return startBank();
}
