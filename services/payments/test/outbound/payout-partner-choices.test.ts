import type { ServerResponse } from "node:http";
import type { PayoutPartner } from "@collect/bank";
import {
  choosePayoutPartner,
  findPayout,
  listPayoutPartners,
  type MerchantScope,
  resolveAccount,
  startPayouts,
  stopPayouts,
} from "@collect/contracts";
import { readMetrics } from "@collect/telemetry";
import { until } from "@collect/testing";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { measurePayouts } from "../../src/outbound/workers/measurements.ts";
import { batchesOf, liveFile } from "./batches-world.ts";
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
import { startOwnBank, useNeighbors } from "./use-transfers.ts";

const { world, ledger } = await useNeighbors();
const { request } = world.others;

let [one, other]: [HttpBank, HttpBank] = [] as never;
let all: [PayoutPartner, PayoutPartner];
beforeEach(async () => {
  await world.owner.query("delete from payout_partner_choices");
  one = await startOwnBank(world);
  other = await startBank();
  all = [
    { ...partnerAt(one.url), id: "one" },
    { ...partnerAt(other.url), id: "other" },
  ];
});

/** A replica of which the first partner is the default. */
async function start(given: PayoutPartner[] = all) {
  const { stop } = await startPayments(world, { partners: { all: given, standard: all[0] } });
  let stopped: Promise<void> | undefined;
  const stopOnce = () => (stopped ??= stop());
  onTestFinished(stopOnce);
  return stopOnce;
}
const aMerchant = () => aFundedMerchant(ledger, "live");
const choose = ({ id }: MerchantScope, partner: string | null, reason = "Their mail of today") =>
  request(choosePayoutPartner, { merchant_id: id, partner, reason });
const order = async (merchant: MerchantScope) => {
  const { transfer } = await send(world, merchant, anOrder(LIVE_ACCOUNT));
  return transfer.reference;
};
const paid = async (merchant: MerchantScope) => {
  const reference = await order(merchant);
  await untilStatus(world, merchant, reference, "success");
  return reference;
};
const choices = async () => (await request(listPayoutPartners, {})).choices;
const startAll = () => request(startPayouts, { reason: "They are well" });
/** The order was allowed by then, and is held before it is sent. */
async function stopThenName(response: ServerResponse, account: { account_number: string }) {
  await request(stopPayouts, { reason: "A look at the banks" });
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ ...account, account_name: "NGOZI EZE" }));
}

test("a merchant's live payouts go out by the partner that was chosen for it, those of others by the default, until that is taken back", async () => {
  await start();
  const [moved, stays] = [aMerchant(), aMerchant()];
  expect(await choose(moved, "other")).toEqual({ merchant_id: moved.id, partner: "other" });
  const [byOther, byOne] = [await paid(moved), await paid(stays)];
  expect([one.sent, other.sent]).toEqual([[byOne], [byOther]]);
  expect((await request(findPayout, { reference: byOther })).payout).toMatchObject({ partner: "other" });

  expect(await choose(moved, null)).toEqual({ merchant_id: moved.id, partner: "one" });
  const back = await paid(moved);
  expect([one.sent, other.sent]).toEqual([[byOne, back], [byOther]]);
  expect(await choices()).toEqual([]);
});

test("a payout that is not committed to a partner goes by the one that is chosen meanwhile, and one that is stays with its own", async () => {
  // It takes the order, and does not answer.
  one.onPay(() => {});
  one.onEnquiry((_id, response) => void response.writeHead(503).end());
  await start();
  const merchant = aMerchant();
  const sent = await order(merchant);
  await until("it is asked", () => one.payoutEnquiries.length > 0);
  one.onNameEnquiry(stopThenName);
  const waits = await order(merchant);
  await until("it is held", async () =>
    (await rowsOf(world, merchant)).some(({ reference, held_for }) => reference === waits && held_for !== null),
  );
  await choose(merchant, "other");
  await startAll();
  await untilStatus(world, merchant, waits, "success");
  one.payouts.set(sent, { id: sent, ...LIVE_ACCOUNT, amount: 2500.73, status: "success" });
  one.onEnquiry((id, response) => one.answer(response, id));
  await untilStatus(world, merchant, sent, "success");
  expect([one.sent, other.sent]).toEqual([[sent], [waits]]);
  expect(other.payoutEnquiries).not.toContain(sent);
  const partners = (await rowsOf(world, merchant)).map(({ reference, partner }) => [reference, partner]);
  expect(new Map(partners as [string, string][])).toEqual(
    new Map([
      [sent, "one"],
      [waits, "other"],
    ]),
  );
});

test("a partner that pays nothing out here is refused, and nothing changes", async () => {
  await start();
  const merchant = aMerchant();
  await choose(merchant, "other");
  expect(await refusalOf(choose(merchant, "unknown"))).toBe("validation_failed");
  expect(await choices()).toMatchObject([{ merchant_id: merchant.id, partner: "other" }]);
});

test("the holders of accounts are named by the partner that pays: of a look-up, an order and a file; those of other merchants by the default", async () => {
  await start();
  const [moved, stays] = [aMerchant(), aMerchant()];
  await choose(moved, "other");
  const lookUp = (merchant: MerchantScope) =>
    request(resolveAccount, { merchant: { ...merchant, name: "Ada Stores" }, ...LIVE_ACCOUNT });
  await lookUp(moved);
  await paid(moved);
  await batchesOf(world, moved).checked(liveFile(2));
  expect([one.nameEnquiries.length, other.nameEnquiries.length]).toEqual([0, 4]);
  await lookUp(stays);
  expect([one.nameEnquiries.length, other.nameEnquiries.length]).toEqual([1, 4]);
});

test("test transfers of a merchant with a partner of its own go to the test bank", async () => {
  await start();
  const merchant = aFundedMerchant(ledger, "test");
  await choose(merchant, "other");
  const { transfer } = await send(world, merchant, anOrder({ account_number: testAccount(1) }));
  await untilStatus(world, merchant, transfer.reference, "success");
  expect([one.sent, other.sent, other.nameEnquiries]).toEqual([[], [], []]);
});

test("a choice can be repeated and made by two at once: the first one's reason and time stay, or one of both is the whole choice", async () => {
  await start();
  const merchant = aMerchant();
  await choose(merchant, "other", "First");
  const [first] = (await choices()) ?? [];
  expect(first).toMatchObject({ merchant_id: merchant.id, partner: "other", reason: "First" });
  await choose(merchant, "other", "Second");
  expect(await choices()).toEqual([first]);
  await Promise.all([choose(merchant, "one", "By one"), choose(merchant, "other", "By other")]);
  const [last] = (await choices()) ?? [];
  expect([first, { partner: "one", reason: "By one" }, { partner: "other", reason: "By other" }]).toContainEqual(
    last?.chosen_at === first?.chosen_at ? first : { partner: last?.partner, reason: last?.reason },
  );
  await Promise.all([choose(merchant, null), choose(merchant, null)]);
  expect(await choices()).toEqual([]);
});

test("the newest 200 choices are listed, and the list says that there are more", async () => {
  await start();
  await world.owner.query(
    `insert into payout_partner_choices (merchant_id, partner, reason) select 'mer_many_' || n, 'other', 'Many' from generate_series(1, 201) as n`,
  );
  const listed = await request(listPayoutPartners, {});
  expect([listed.choices?.length, listed.has_more_choices]).toEqual([200, true]);
});

/** An accepted payout of a merchant whose partner is not configured any more; `stop` ends the replica without it. */
async function aPayoutWithoutPartner() {
  const stopFormer = await start();
  const merchant = aMerchant();
  await choose(merchant, "other");
  other.onNameEnquiry(stopThenName);
  const reference = await order(merchant);
  const isHeld = async () => (await rowsOf(world, merchant))[0]?.held_for === "payouts_stopped";
  await until("it is held", isHeld);
  await stopFormer();
  const stop = await start([all[0]]);
  await world.owner.query("update transfers set next_at = now(), held_for = null where reference = $1", [reference]);
  await startAll();
  await until("it is held anew", isHeld);
  return { merchant, reference, stop };
}

test("while the chosen partner is not configured, accepted payouts wait for it, new ones are refused, and no other sends them", async () => {
  const { merchant, reference, stop } = await aPayoutWithoutPartner();
  expect(await refusalOf(order(merchant))).toBe("payouts_stopped");
  expect(await refusalOf(choose(merchant, "other"))).toBe("validation_failed");
  expect(await choices()).toMatchObject([{ merchant_id: merchant.id, partner: "other" }]);
  // No money moves by a name.
  const lookedUp = await request(resolveAccount, { merchant: { ...merchant, name: "Ada Stores" }, ...LIVE_ACCOUNT });
  expect(lookedUp.account_name).toBe("NGOZI EZE");
  const elsewhere = await paid(aMerchant());
  expect([one.sent, other.sent]).toEqual([[elsewhere], []]);
  await stop();

  await start();
  await world.owner.query("update transfers set next_at = now() where reference = $1", [reference]);
  await untilStatus(world, merchant, reference, "success");
  expect([one.sent, other.sent]).toEqual([[elsewhere], [reference]]);
});

test("payouts that wait for a partner which is not configured go out at once by the one that an operator chooses instead", async () => {
  const { merchant, reference } = await aPayoutWithoutPartner();
  await choose(merchant, null);
  await untilStatus(world, merchant, reference, "success");
  expect([one.sent, other.sent]).toEqual([[reference], []]);
});

test("merchants whose partner is not configured are counted", async () => {
  await start();
  await choose(aMerchant(), "other");
  const measured = async (configured: PayoutPartner[]) => {
    await measurePayouts(world.pool, { all: configured }).measurements?.payout_partners?.measure();
    const line = /^collect_payouts_merchants_without_partner\{mode="live"\} (\d+)$/m;
    return line.exec((await readMetrics()).text)?.[1];
  };
  expect([await measured([all[0]]), await measured(all)]).toEqual(["1", "0"]);
});
