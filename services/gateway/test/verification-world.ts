import { decideVerification, listVerifications, saveVerification, submitVerification } from "@collect/contracts";
import type { World } from "@collect/testing";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { type Gateway, openGatewayWorld, startGateway } from "./gateway.ts";
import { type Others, playOthers } from "./others.ts";
import { about, DETAILS } from "./people.ts";

/** The gateway, with a simulated payments service that responds to name enquiries. */
export function useVerification(): void {
  beforeAll(async () => {
    world = await openGatewayWorld();
    gateway = await startGateway(world);
    others = await playOthers(world);
  });
  afterAll(async () => {
    await gateway.stop();
    await others.stop();
    await world.close();
  });
  beforeEach(() => {
    others.asked.length = 0;
    others.refuseWith(undefined);
  });
}

export let world: World;
export let gateway: Gateway;
export let others: Others;

export type Details = Partial<typeof DETAILS>;

export const save = (merchant_id: string, details: Details) =>
  world.others.request(saveVerification, { merchant_id, details }, { requestId: "req-save" });

export const submit = (merchant_id: string, details = DETAILS) =>
  world.others.request(submitVerification, { merchant_id, details }, { requestId: "req-submit" });

/** Decides the current submission. */
export async function decide(
  merchant_id: string,
  decision: "approved" | "returned",
  reason?: string,
  despite_name = true,
) {
  const { submitted_at } = await about(world, merchant_id).verification();
  return world.others.request(
    decideVerification,
    { merchant_id, submitted_at, decision, reason, despite_name },
    { requestId: "req-decide" },
  );
}

export const list = (state?: "draft" | "submitted" | "approved" | "returned") =>
  world.others.request(listVerifications, { state }).then(({ verifications }) => verifications);
