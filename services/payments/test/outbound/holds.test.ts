import {
  drainPayouts,
  getPayoutState,
  listOutboundTransfers,
  releasePayouts,
  resolveAccount,
  resolveSettlementAccount,
  showPayouts,
  showTransfer,
  startPayouts,
  stopPayouts,
} from "@collect/contracts";
import { until } from "@collect/testing";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { type HttpBank, startBank } from "./http-bank.ts";
import {
  aFundedMerchant,
  anOrder,
  LIVE_ACCOUNT,
  partnerAt,
  refusalOf,
  rowsOf,
  send,
  startPayments,
  testAccount,
  untilStatus,
} from "./transfers-world.ts";
import { useNeighbors } from "./use-transfers.ts";

const { world, ledger } = await useNeighbors();
const { merchants, others } = world;
let bank: HttpBank;

beforeEach(async () => {
  merchants.isDown = false;
  await world.owner.query("update transfers set next_at = null, follow_up_at = null, held_for = null");
  await world.owner.query("update payout_switch set stopped = false");
  bank = await startBank();
  const { stop } = await startPayments(world, { partner: partnerAt(bank.url, 5_000) });
  onTestFinished(stop);
});

const aMerchant = () => aFundedMerchant(ledger, "live");
const anyOrder = () => anOrder(LIVE_ACCOUNT);
const stop = () => others.request(stopPayouts, { reason: "The bank asked for it" });
const start = () => others.request(startPayouts, { reason: "The bank is well again" });
const drain = (merchant_id: string) => others.request(drainPayouts, { merchant_id });
const release = (merchant_id: string) => others.request(releasePayouts, { merchant_id });

const MAY_NOT = [
  ["draft", "verification_required"],
  ["submitted", "verification_required"],
  ["returned", "verification_required"],
  ["suspended", "merchant_suspended"],
] as const;

test.each(MAY_NOT)(
  "a %s merchant's live order is refused with %s, and nothing is written or reserved",
  async (standing, code) => {
    const merchant = aMerchant();
    merchants.stand(merchant.id, standing);
    expect(await refusalOf(send(world, merchant, anyOrder()))).toBe(code);
    expect(await refusalOf(others.request(resolveAccount, { merchant: named(merchant), ...LIVE_ACCOUNT }))).toBe(code);
    expect([await rowsOf(world, merchant), bank.nameEnquiries, bank.sent]).toEqual([[], [], []]);
    expect(ledger.settled(merchant)).toBe(100_000_000n);
    merchants.stand(merchant.id, "verified");
    await others.request(resolveAccount, { merchant: named(merchant), ...LIVE_ACCOUNT });
    const { transfer } = await send(world, merchant, anyOrder());
    await untilStatus(world, merchant, transfer.reference, "success");
  },
);

const named = (merchant: { id: string; mode: "test" | "live" }) => ({ ...merchant, name: "Ada Stores" });

test("a settlement account is resolved for the gateway before the merchant is verified", async () => {
  expect(await others.request(resolveSettlementAccount, LIVE_ACCOUNT)).toMatchObject({ account_name: "NGOZI EZE" });
});

test("test transfers need no verification, ask nothing, and go on while payouts are stopped", async () => {
  const merchant = aFundedMerchant(ledger, "test");
  merchants.stand(merchant.id, "suspended");
  const asked = merchants.asked.length;
  await stop();
  const { transfer } = await send(world, merchant, anOrder({ account_number: testAccount(1) }));
  await untilStatus(world, merchant, transfer.reference, "success");
  expect(merchants.asked).toHaveLength(asked);
});

test("an order is refused while the gateway does not answer, and a known one is answered", async () => {
  const merchant = aMerchant();
  const order = anyOrder();
  const { transfer } = await send(world, merchant, order);
  await untilStatus(world, merchant, transfer.reference, "success");
  merchants.isDown = true;
  expect(await refusalOf(send(world, merchant, anyOrder()))).toBe("service_unavailable");
  expect(await send(world, merchant, order)).toMatchObject({ created: false, transfer: { status: "success" } });
});

test("a suspended merchant's accepted order is held, unsent, and goes on after the resumption", async () => {
  const merchant = aMerchant();
  merchants.stand(merchant.id, "verified");
  bank.onNameEnquiry((response) => {
    // Suspended after the order was allowed, before it is sent.
    merchants.stand(merchant.id, "suspended", true);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...LIVE_ACCOUNT, account_name: "NGOZI EZE" }));
  });
  const { transfer } = await send(world, merchant, anyOrder());
  const held = () => others.request(getPayoutState, { merchant }).then((state) => state.held);
  await until("the order is held", async () => (await held()) === 1);
  expect(await others.request(showTransfer, { merchant, reference: transfer.reference })).toMatchObject({
    transfer: { status: "pending" },
    held_for: "merchant_suspended",
    sent_at: null,
  });
  // Statements looks for it at no bank.
  const { rows } = await others.request(listOutboundTransfers, { since: transfer.created_at, after: null });
  expect(rows.find(({ transfer_id }) => transfer_id === transfer.reference)).toMatchObject({ partner: null });
  // Trying again while it is suspended holds it again.
  const asked = merchants.asked.length;
  await release(merchant.id);
  await until("it was asked for twice more", async () => merchants.asked.length >= asked + 2 && (await held()) === 1);
  expect(bank.sent).toEqual([]);
  merchants.stand(merchant.id, "verified");
  expect(await release(merchant.id)).toEqual({ released: 1 });
  await untilStatus(world, merchant, transfer.reference, "success");
  expect([bank.sent, await held()]).toEqual([[transfer.reference], 0]);
});

test("while the gateway does not answer, an accepted order waits; it is sent once", async () => {
  const merchant = aMerchant();
  bank.onNameEnquiry((response) => {
    merchants.isDown = true;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...LIVE_ACCOUNT, account_name: "NGOZI EZE" }));
  });
  const { transfer } = await send(world, merchant, anyOrder());
  await until("the claim was taken back", async () => {
    const [row] = await rowsOf(world, merchant);
    return row?.step === "reserved" && merchants.asked.length > 1;
  });
  expect(bank.sent).toEqual([]);
  merchants.isDown = false;
  await untilStatus(world, merchant, transfer.reference, "success");
  expect(bank.sent).toEqual([transfer.reference]);
});

test("stopped payouts: new orders are refused, accepted ones are held, and start sends them", async () => {
  const merchant = aMerchant();
  bank.onNameEnquiry((response) => {
    void stop().then(() => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ ...LIVE_ACCOUNT, account_name: "NGOZI EZE" }));
    });
  });
  const { transfer } = await send(world, merchant, anyOrder());
  await until("it is held", async () => (await others.request(showPayouts, {})).held.length === 1);
  expect(await others.request(showPayouts, {})).toEqual({
    stopped: { reason: "The bank asked for it", since: expect.any(String) },
    in_flight: 0,
    held: [{ held_for: "payouts_stopped", count: 1, sum: "250073" }],
  });
  expect(await refusalOf(send(world, merchant, anyOrder()))).toBe("payouts_stopped");
  expect(await rowsOf(world, merchant)).toHaveLength(1);
  const { since } = (await stop()).stopped ?? {};
  expect((await others.request(getPayoutState, { merchant })).stopped_since).toBe(since);
  expect(bank.sent).toEqual([]);
  expect(await start()).toMatchObject({ stopped: null });
  await untilStatus(world, merchant, transfer.reference, "success");
  expect(bank.sent).toEqual([transfer.reference]);
  const { rows } = await world.owner.query(
    "select stopped, reason from payout_switch_changes order by id desc limit 2",
  );
  expect(rows.toReversed()).toEqual([
    { stopped: true, reason: "The bank asked for it" },
    { stopped: false, reason: "The bank is well again" },
  ]);
});

test("stopping and draining wait for the call that is at the bank, and it is followed to its end", async () => {
  const merchant = aMerchant();
  const called = Promise.withResolvers<() => void>();
  bank.onPay((order, response) => {
    called.resolve(() => {
      bank.accept(order, "success");
      bank.answer(response, order.id);
    });
  });
  const { transfer } = await send(world, merchant, anyOrder());
  const answerNow = await called.promise;
  const ended: string[] = [];
  const stopping = stop().then(() => ended.push("stopped"));
  const draining = drain(merchant.id).then(({ in_flight }) => ended.push(`drained ${in_flight}`));
  expect(await drain("mer_other")).toEqual({ in_flight: 0 });
  expect((await others.request(showPayouts, {})).in_flight).toBe(1);
  expect(ended).toEqual([]);
  answerNow();
  await Promise.all([stopping, draining]);
  expect(ended.toSorted()).toEqual(["drained 0", "stopped"]);
  await untilStatus(world, merchant, transfer.reference, "success");
  await start();
});

test("the database refuses a hold of what was sent", async () => {
  const merchant = aMerchant();
  const { transfer } = await send(world, merchant, anyOrder());
  await untilStatus(world, merchant, transfer.reference, "success");
  const hold = "update transfers set held_for = 'payouts_stopped' where reference = $1";
  await expect(world.owner.query(hold, [transfer.reference])).rejects.toMatchObject({
    constraint: "held_before_it_is_sent",
  });
});
