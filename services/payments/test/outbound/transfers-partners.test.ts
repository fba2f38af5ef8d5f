import type { PayoutPartner } from "@collect/bank";
import {
  checkPayoutPartners,
  listOutboundTransfers,
  listPayoutPartners,
  listUnansweredPayouts,
  repeatPayout,
} from "@collect/contracts";
import { until } from "@collect/testing";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { type HttpBank, startBank } from "./http-bank.ts";
import {
  aFundedMerchant,
  anOrder,
  LIVE_ACCOUNT,
  partnerAt,
  rowsOf,
  send,
  startPayments,
  untilStatus,
  untilStep,
} from "./transfers-world.ts";
import { startOwnBank, useNeighbors } from "./use-transfers.ts";

const { world, ledger } = await useNeighbors();

let [one, other]: [HttpBank, HttpBank] = [] as never;
let all: [PayoutPartner, PayoutPartner];
beforeEach(async () => {
  one = await startOwnBank(world);
  other = await startBank();
  all = [
    { ...partnerAt(one.url), id: "one" },
    { ...partnerAt(other.url), id: "other" },
  ];
});

/** A replica whose payouts this partner sends from now on. */
async function start(sends: 0 | 1, given = all) {
  const { stop } = await startPayments(world, {
    partners: { all: given, standard: given[sends] },
    transferTimes: { followUpsMs: [0] },
  });
  let stopped: Promise<void> | undefined;
  const stopOnce = () => (stopped ??= stop());
  onTestFinished(stopOnce);
  return stopOnce;
}
const order = async () => {
  const merchant = aFundedMerchant(ledger, "live");
  const { transfer } = await send(world, merchant, anOrder(LIVE_ACCOUNT));
  return { merchant, reference: transfer.reference };
};

/** The first partner has paid it, and answered no enquiry when its replica was stopped. */
async function anUnansweredPayout() {
  one.onPay((sent) => one.accept(sent, "success"));
  one.onEnquiry((_id, response) => void response.writeHead(503).end());
  const stop = await start(0);
  const { merchant, reference } = await order();
  await until("it is asked", () => one.payoutEnquiries.length > 0);
  await stop();
  return { merchant, reference };
}

test("a payout that a partner has not answered is asked about there, and sent to no other that pays out by now", async () => {
  // It takes the order, and does not answer.
  one.onPay(() => {});
  one.onEnquiry((_id, response) => void response.writeHead(503).end());
  const stop = await start(0);
  const { merchant, reference } = await order();
  await until("it is asked", () => one.payoutEnquiries.length > 0);
  expect(await rowsOf(world, merchant)).toMatchObject([{ step: "sending", partner: "one" }]);
  await stop();

  await start(1);
  const later = await order();
  await untilStatus(world, later.merchant, later.reference, "success");
  expect(await rowsOf(world, later.merchant)).toMatchObject([{ partner: "other" }]);
  one.payouts.set(reference, { id: reference, ...LIVE_ACCOUNT, amount: 2500.73, status: "success" });
  one.onEnquiry((id, response) => one.answer(response, id));
  await untilStatus(world, merchant, reference, "success");
  // What follows its end is asked there too.
  await until("it is followed up", async () => (await rowsOf(world, merchant))[0]?.follow_ups === 1);
  expect([one.sent, other.sent]).toEqual([[reference], [later.reference]]);
  expect(other.payoutEnquiries).not.toContain(reference);
  expect(one.payoutEnquiries).not.toContain(later.reference);
});

test("operators see the partners that pay out, and whether each lists its banks", async () => {
  await start(1, [all[0], { ...all[1], payouts: { ...all[1].payouts, unlistedBanks: async () => [] } }]);
  const { partners } = await world.others.request(listPayoutPartners, {});
  expect(partners.map(({ id, is_default, lists_banks }) => [id, is_default, lists_banks])).toEqual([
    ["one", false, false],
    ["other", true, true],
  ]);
});

test("operators try the credentials of every partner, and nothing is paid by it", async () => {
  await start(0, [
    all[0],
    { ...all[1], check: async () => [{ name: "wallet", isOk: false, detail: "It is refused." }] },
  ]);
  expect(await world.others.request(checkPayoutPartners, {})).toEqual({
    partners: [
      { id: "one", checks: [{ name: "signature", is_ok: true, detail: "The bank accepts our signature." }] },
      { id: "other", checks: [{ name: "wallet", is_ok: false, detail: "It is refused." }] },
    ],
  });
  expect([one.sent, other.sent]).toEqual([[], []]);
});

test("the partner is stored before it is called", async () => {
  const stored = Promise.withResolvers<unknown>();
  one.onPay(async (sent, response) => {
    const { rows } = await world.owner.query("select step, partner from transfers where reference = $1", [sent.id]);
    stored.resolve(rows[0]);
    one.accept(sent, "success");
    one.answer(response, sent.id);
  });
  await start(0);
  const { merchant } = await order();
  expect(await stored.promise).toEqual({ step: "sending", partner: "one" });
  await untilStep(world, merchant, "told");
});

test("the session id under which the bank paid is stored with the end, and listed for the matching with statements", async () => {
  const sessionId = "000023211018133747005000003198";
  const naming = {
    ...all[0].payouts,
    pay: async (payout: never) => ({ ...(await all[0].payouts.pay(payout)), sessionId }),
  };
  await start(0, [{ ...all[0], payouts: naming }, all[1]]);
  const { merchant, reference } = await order();
  await untilStep(world, merchant, "told");
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const { rows } = await world.others.request(listOutboundTransfers, { since, after: null });
  expect(rows.find(({ transfer_id }) => transfer_id === reference)).toMatchObject({ session_id: sessionId });
});

test("the partner is listed for the matching with statements, and nothing where it is not known", async () => {
  await start(1);
  const { merchant, reference } = await order();
  await untilStep(world, merchant, "told");
  const listed = async () => {
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const { rows } = await world.others.request(listOutboundTransfers, { since, after: null });
    return rows.find(({ transfer_id }) => transfer_id === reference);
  };
  expect(await listed()).toMatchObject({ partner: "other" });
  await world.owner.query("update transfers set partner = null where reference = $1", [reference]);
  expect(await listed()).not.toHaveProperty("partner");
});

test("a payout without a partner, as an earlier release sent it or a restore brought it back, is asked about everywhere", async () => {
  const { merchant, reference } = await anUnansweredPayout();
  await world.owner.query("update transfers set partner = null where reference = $1", [reference]);
  one.onEnquiry((id, response) => one.answer(response, id));
  await start(1);
  await untilStatus(world, merchant, reference, "success");
  expect(other.payoutEnquiries).toContain(reference);
  expect(other.sent).toEqual([]);
});

test("a partner that cannot say that it never received a payout hides no end at another one", async () => {
  const { merchant, reference } = await anUnansweredPayout();
  await world.owner.query("update transfers set partner = null where reference = $1", [reference]);
  one.onEnquiry((id, response) => one.answer(response, id));
  const uncertain = { status: "pending", failureCode: null, failureReason: null, isUncertain: true } as const;
  const unsure = { ...all[1], payouts: { ...all[1].payouts, enquire: async () => uncertain } };
  await start(1, [all[0], unsure]);
  await untilStatus(world, merchant, reference, "success");
  expect(other.sent).toEqual([]);
});

test("a payout that either of two partners may have is ordered again at none, also while one of them says that it does not have it", async () => {
  const { merchant, reference } = await anUnansweredPayout();
  const old = "update transfers set partner = null, sent_at = now() - interval '601 seconds' where reference = $1";
  await world.owner.query(old, [reference]);
  const uncertain = { status: "pending", failureCode: null, failureReason: null, isUncertain: true } as const;
  const unsure = (partner: PayoutPartner) => ({
    ...{ ...partner, name: `Bank ${partner.id}` },
    payouts: { ...partner.payouts, enquire: async () => uncertain },
  });
  const repeat = async () => {
    const { payouts } = await world.others.request(listUnansweredPayouts, { reference });
    const act = { merchant_id: merchant.id, reference, sent_at: payouts[0]?.sent_at ?? null, reason: "A mail" };
    return world.others.request(repeatPayout, act);
  };
  const stop = await start(1, [unsure(all[0]), unsure(all[1])]);
  const detail = expect.stringContaining("Bank one and Bank other may each have it");
  for (const act of await Promise.allSettled([repeat(), repeat()]))
    expect(act).toMatchObject({ reason: { code: "conflict", detail } });
  expect([one.sent, other.sent]).toEqual([[reference], []]);
  expect(await rowsOf(world, merchant)).toMatchObject([{ step: "sending", partner: null }]);
  await stop();

  // It may be mistaken for a moment.
  await start(1, [unsure(all[0]), all[1]]);
  await expect(repeat()).rejects.toMatchObject({ code: "conflict", detail: expect.stringContaining("may each") });
  expect([one.sent, other.sent]).toEqual([[reference], []]);
});

test("a payout whose partner is not configured any more waits for it", async () => {
  const { merchant, reference } = await anUnansweredPayout();
  const without = await startPayments(world, { partner: all[1] });
  const attempts = async () => Number((await rowsOf(world, merchant))[0]?.attempts);
  const before = await attempts();
  await until("it was tried again", async () => (await attempts()) > before);
  expect(await rowsOf(world, merchant)).toMatchObject([{ step: "sending", status: "pending" }]);
  expect([other.sent, other.payoutEnquiries]).toEqual([[], []]);
  await without.stop();
  one.onEnquiry((id, response) => one.answer(response, id));
  await start(1);
  await untilStatus(world, merchant, reference, "success");
  expect(one.sent).toEqual([reference]);
});
