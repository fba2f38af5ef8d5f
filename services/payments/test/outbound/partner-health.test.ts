import { getPayoutHealth, resolveAccount } from "@collect/contracts";
import { readMetrics } from "@collect/telemetry";
import { until } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import { measurePayouts } from "../../src/outbound/workers/measurements.ts";
import { type HttpBank, startBank } from "./http-bank.ts";
import {
  aFundedMerchant,
  anOrder,
  LIVE_ACCOUNT,
  partnerAt,
  refusalOf,
  send,
  startPayments,
  testAccount,
  untilStatus,
} from "./transfers-world.ts";
import { useNeighbors } from "./use-transfers.ts";

const { world, ledger } = await useNeighbors();
const health = () => world.others.request(getPayoutHealth, {});

/** Payments alone at a bank of its own, without what other tests left. */
async function start(): Promise<HttpBank> {
  await world.owner.query("delete from transfers");
  await world.owner.query("delete from account_enquiries");
  const bank = await startBank();
  const { stop } = await startPayments(world, { partner: partnerAt(bank.url, 2_000) });
  onTestFinished(stop);
  return bank;
}

const NO_RESULTS = { success: 0, reversed: 0, failed: [], unanswered: 0 };
const NO_NAMES = { named: 0, unresolved: 0, failed: 0 };

test("a bank that answered nothing is quiet, and test money says nothing about it", async () => {
  await start();
  const merchant = aFundedMerchant(ledger, "test");
  const { transfer } = await send(world, merchant, anOrder({ account_number: testAccount(1) }));
  await untilStatus(world, merchant, transfer.reference, "success");
  expect(await health()).toEqual({
    bank: { code: "729", name: "Harbour Bank" },
    payouts: {
      ...{ state: "quiet", unanswered: { count: 0, sum: "0", oldest_sent_at: null } },
      ...{ hour: NO_RESULTS, day: NO_RESULTS, last_success_at: null, since: expect.any(String) },
    },
    name_enquiries: {
      ...{ state: "quiet", hour: NO_NAMES, day: NO_NAMES, last_named_at: null, since: expect.any(String) },
    },
    others: [],
  });
});

test("payouts are counted by the bank's answer and code, and one without an answer since it was sent", async () => {
  const bank = await start();
  const merchant = aFundedMerchant(ledger, "live");
  const order = (status: "success" | "failed" | "pending") => {
    bank.onPay((order, response) => {
      bank.accept(order, status);
      bank.answer(response, order.id);
    });
    return send(world, merchant, anOrder(LIVE_ACCOUNT));
  };
  const good = await order("success");
  await untilStatus(world, merchant, good.transfer.reference, "success");
  const bad = await order("failed");
  await untilStatus(world, merchant, bad.transfer.reference, "failed");
  const waits = await order("pending");
  const { reference } = waits.transfer;
  await until("it is sent", async () => (await health()).payouts.unanswered.count === 1);
  const { payouts } = await health();
  const results = { success: 1, reversed: 0, failed: [{ code: "blocked", count: 1 }], unanswered: 1 };
  expect(payouts).toMatchObject({ state: "ok", hour: results, day: results });
  expect(payouts.unanswered).toMatchObject({ count: 1, sum: "250073" });
  const [row] = (await world.owner.query("select sent_at from transfers where reference = $1", [reference])).rows;
  expect(Date.parse(payouts.unanswered.oldest_sent_at ?? "")).toBe(Date.parse(row.sent_at));
  expect(Date.now() - Date.parse(payouts.last_success_at ?? "")).toBeLessThan(60_000);

  // Answers of two hours ago are of the day only, and a payout that waits for eleven minutes means that the bank is failing.
  await world.owner.query(
    `update transfers set completed_at = completed_at - interval '2 hours' where status <> 'pending'`,
  );
  await world.owner.query(`update transfers set sent_at = now() - interval '11 minutes' where reference = $1`, [
    reference,
  ]);
  expect((await health()).payouts).toMatchObject({
    ...{ state: "failing", hour: { ...NO_RESULTS, unanswered: 1 }, day: results },
  });
  await measurePayouts(world.pool, { all: [] }).measurements?.payouts?.measure();
  const { text } = await readMetrics();
  expect(text).toContain('collect_payouts_unanswered{mode="live"} 1\n');
  expect(text).toMatch(/^collect_payouts_oldest_unanswered_seconds\{mode="live"\} 66\d/m);
});

test("what was declined by a person never went to the bank, and is not counted as its failure", async () => {
  await start();
  await world.owner.query(
    `insert into transfers (reference, merchant_id, mode, merchant_reference, amount, bank_code, bank_name, account_number,
       account_name, step, status, verdict, sent_at, completed_at, failure_code, approval)
     select 'trf_' || approval, 'mer_1', 'live', approval, 100, '058', 'GTB', '0000000017', 'Ada', 'told', 'failed', 'failed', null,
       now(), 'approval', approval from unnest(array['declined', 'expired']) as approval`,
  );
  expect((await health()).payouts).toMatchObject({ state: "quiet", day: NO_RESULTS });
});

test("name enquiries are counted by their outcome, and five of the last hour without an answer mean that the bank is failing", async () => {
  const bank = await start();
  const merchant = { ...aFundedMerchant(ledger, "live"), name: "Ada Stores" };
  const resolve = () => world.others.request(resolveAccount, { merchant, ...LIVE_ACCOUNT });
  await resolve();
  bank.onNameEnquiry((response) => void response.writeHead(404).end(JSON.stringify({ code: "not_found" })));
  expect(await refusalOf(resolve())).toBe("account_unresolved");
  expect((await health()).name_enquiries).toMatchObject({
    ...{ state: "ok", hour: { named: 1, unresolved: 1, failed: 0 }, day: { named: 1, unresolved: 1, failed: 0 } },
    last_named_at: expect.any(String),
  });
  bank.onNameEnquiry((response) => void response.writeHead(500).end());
  for (let n = 0; n < 3; n++) expect(await refusalOf(resolve())).toBe("provider_error");
  expect((await health()).name_enquiries).toMatchObject({
    state: "failing",
    hour: { named: 1, unresolved: 1, failed: 3 },
  });
  await world.owner.query("update account_enquiries set created_at = created_at - interval '2 hours'");
  expect((await health()).name_enquiries).toMatchObject({ state: "quiet", hour: NO_NAMES, day: { failed: 3 } });
});

test("each partner has its own payouts, and those of which it is not known are the default one's", async () => {
  await world.owner.query("delete from transfers");
  const [one, other] = [partnerAt("http://127.0.0.1:1"), { ...partnerAt("http://127.0.0.1:1"), id: "other" }];
  const { stop } = await startPayments(world, { partners: { all: [one, other], standard: other } });
  onTestFinished(stop);
  await world.owner.query(
    `insert into transfers (reference, merchant_id, mode, merchant_reference, amount, bank_code, bank_name, account_number,
       account_name, step, status, verdict, sent_at, completed_at, failure_code, partner, next_at)
     select reference, 'mer_1', 'live', reference, 100, '058', 'GTB', '0000000017', 'Ada', step, status, verdict,
       now() - interval '11 minutes', case when verdict is not null then now() end, code, partner, 'infinity'
     from (values ('trf_1', 'sending', 'pending', null, null, '729'), ('trf_2', 'told', 'failed', 'failed', 'blocked', '729'),
       ('trf_3', 'told', 'success', 'success', null, 'other'), ('trf_4', 'told', 'success', 'success', null, null))
       as given (reference, step, status, verdict, code, partner)`,
  );
  const { bank, payouts, others } = await health();
  expect([bank.code, payouts]).toMatchObject(["other", { state: "ok", hour: { ...NO_RESULTS, success: 2 } }]);
  expect(payouts.unanswered).toEqual({ count: 0, sum: "0", oldest_sent_at: null });
  expect(others).toMatchObject([
    {
      bank: { code: "729" },
      payouts: {
        state: "failing",
        unanswered: { count: 1, sum: "100" },
        hour: { success: 0, failed: [{ code: "blocked", count: 1 }], unanswered: 1 },
        last_success_at: null,
      },
    },
  ]);
});
