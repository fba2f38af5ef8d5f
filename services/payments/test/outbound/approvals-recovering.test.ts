import { type Actor, approveTransfer, createTransfer, declineTransfer } from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import {
  aFundedMerchant,
  anOrder,
  LIVE_ACCOUNT,
  partnerAt,
  refusalOf,
  startPayments,
  untilStatus,
} from "./transfers-world.ts";
import { startOwnBank, useNeighbors } from "./use-transfers.ts";

const { world, ledger } = await useNeighbors();

const ADA: Actor = { kind: "member", user_id: "usr_ada", email: "ada@example.com" };
const BOLA: Actor = { kind: "member", user_id: "usr_bola", email: "bola@example.com" };

test("nothing is approved or declined while a restored database catches up: what was decided before may be lost", async () => {
  const bank = await startOwnBank(world);
  onTestFinished((await startPayments(world, { partner: partnerAt(bank.url) })).stop);
  ledger.decides = { approval_required: true };
  const merchant = { ...aFundedMerchant(ledger, "live"), name: "Ada Stores" };
  const { transfer } = await world.others.request(
    createTransfer,
    { merchant, ...anOrder(LIVE_ACCOUNT) },
    { actor: ADA },
  );
  const order = { merchant, reference: transfer.reference };
  const approving_since = new Date(Date.now() - 25 * 3_600_000).toISOString();
  const approve = (actor: Actor) => world.others.request(approveTransfer, { ...order, approving_since }, { actor });
  await world.owner.query("insert into recoveries (restored_to, step, next_at) values (now(), 'a test', 'infinity')");
  // Who ordered it may never approve it, so that this is refused until then, too.
  await until("it has noticed", async () => (await refusalOf(approve(ADA))) === "service_unavailable");
  expect(await refusalOf(approve(BOLA))).toBe("service_unavailable");
  const declined = world.others.request(declineTransfer, order, { actor: BOLA });
  expect(await refusalOf(declined)).toBe("service_unavailable");
  await world.owner.query("update recoveries set finished_at = now()");
  await until("it is current", async () => (await refusalOf(approve(ADA))) !== "service_unavailable");
  await approve(BOLA);
  await untilStatus(world, merchant, order.reference, "success");
  expect(bank.sent).toEqual([order.reference]);
});
