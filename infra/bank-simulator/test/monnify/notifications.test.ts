import { once } from "node:events";
import type { BankReport } from "@collect/bank";
import { describe, expect, test } from "vitest";
import { HANGING_MS } from "../simulator.ts";
import { door, simulator } from "./simulator.ts";

const identity = { bvn: "22212345678" };
const paid = { amount: 2500.73, payer_name: "FUNKE LAWAL", paid_at: "2026-11-23T14:05:06.789Z" };

/** A simulator with one customer's account, and the door that it notifies. */
async function notified(statuses: number[] = []) {
  const { server, url, reports } = await door(statuses);
  const simulated = await simulator({ doorUrl: url });
  const { accountNumber } = await simulated
    .monnify()
    .issuer.issueAccount({ requestId: "iss_1", accountName: "Chidi", identity });
  const pay = (changes: object = {}) =>
    simulated.control("transfers", { account_number: accountNumber, ...paid, ...changes });
  return { ...simulated, server, reports, accountNumber, pay };
}

/** The credits among the reports. */
const credits = (reports: unknown[]) =>
  reports.filter((report): report is BankReport => typeof report === "object" && report !== null && "amount" in report);

describe("a payment that Monnify reports", () => {
  test("is the same credit in every form of amounts, times and payers", async () => {
    const { pay, reports, accountNumber } = await notified();
    await pay();
    for (const time of ["plain", "offset"])
      for (const amounts of ["numbers", "strings"])
        for (const source of ["list", "object"])
          await pay({ time_form: time, amount_form: amounts, source_form: source });
    await pay({ time_form: "day_first" });
    expect(reports).toHaveLength(10);
    const [first, ...others] = credits(reports);
    expect(first).toEqual({
      ...{ type: "credit", reverses: null, settlementId: null, narration: null, accountNumber, currency: "NGN" },
      id: expect.stringMatching(/^MNFY\|\d\d\|20261123150506\|\d{6}$/),
      sessionId: expect.stringMatching(/^000013090405261123150506\d{6}$/),
      ...{ amount: 250_073n, bankFee: 3_751n, bankVat: 0n },
      payer: { name: "FUNKE LAWAL", accountNumber: "0123456789", bankName: "Guaranty Trust Bank" },
      ...{ paidAt: "2026-11-23T14:05:06.789+00:00", reservation: "iss_1" },
    });
    const known = {
      id: expect.anything(),
      sessionId: expect.anything(),
      paidAt: expect.stringMatching(/^2026-11-23T14:05:06/),
    };
    for (const other of others) expect(other).toEqual({ ...first, ...known });
  });

  test("is the same when Monnify is asked for it, also if it was never reported; what Monnify does not know is nothing", async () => {
    const { pay, reports, monnify, control } = await notified();
    await pay();
    const [reported] = credits(reports);
    const { lookup } = monnify();
    expect(await lookup.byId(reported?.id ?? "")).toEqual(reported);
    expect(await lookup.byId("MNFY|00|20261123150506|999999")).toBeUndefined();
    await control("behaviour", { operation: "transaction", behaviour: "timeout", times: 1 });
    await expect(monnify({ timeoutMs: HANGING_MS }).lookup.byId(reported?.id ?? "")).rejects.toMatchObject({
      code: "provider_timeout",
    });
  });

  test("costs at most ₦2,000", async () => {
    const { pay, reports } = await notified();
    await pay({ amount: 1_000_000 });
    expect(credits(reports)[0]).toMatchObject({ amount: 100_000_000n, bankFee: 200_000n });
  });

  test("can come never, twice at once, late and out of order: it is the same each time", async () => {
    const { control, reports, accountNumber } = await notified();
    const transfer = (amount: number, times: number) => ({ account_number: accountNumber, ...paid, amount, times });
    const sent = await control("transfers", {
      transfers: [transfer(300, 1), transfer(100, 2), transfer(200, 0)],
      order: "late",
    });
    const events = sent.body.transfers as { event: { eventData: Record<string, unknown> } }[];
    expect(credits(reports).map(({ amount }) => amount)).toEqual([10_000n, 10_000n, 30_000n]);
    for (const { event } of events)
      await control("transfers", { ...transfer(1, 1), transaction_reference: event.eventData.transactionReference });
    expect(credits(reports).map(({ amount }) => amount)).toEqual([
      10_000n,
      10_000n,
      30_000n,
      10_000n,
      20_000n,
      30_000n,
    ]);
    expect(new Set(credits(reports).map(({ id }) => id)).size).toBe(3);
  });

  test("is reported again until the door answers with 200", async () => {
    const { pay, server, reports } = await notified([503, 400, 200]);
    await pay({ retry: true });
    while (reports.length < 3) await once(server, "report");
    expect(new Set(credits(reports).map(({ id }) => id)).size).toBe(1);
  });

  test.each(["other_body", "other_key"])("is not believed with the signature of %s", async (signature) => {
    const { pay, reports } = await notified();
    const answered = await pay({ signature });
    expect(reports).toEqual(["not authentic"]);
    expect(answered.body).toMatchObject({ transfers: [{ acknowledged: false, answers: [{ status: 401 }] }] });
  });

  test("is believed by its bytes, however they are written", async () => {
    const { pay, reports } = await notified();
    await pay({ signature: "indented" });
    expect(credits(reports)[0]).toMatchObject({ amount: 250_073n });
  });
});

test("a refund that Monnify reports takes back a part of its payment, whose account it does not name", async () => {
  const { pay, control, reports } = await notified();
  await pay();
  const [credit] = credits(reports);
  await control("refunds", { transaction_reference: credit?.id, amount: 500, refund_reference: "ref_1" });
  expect(credits(reports)[1]).toMatchObject({
    type: "reversal",
    id: "reversal:ref_1",
    reverses: credit?.id,
    accountNumber: "",
    amount: 50_000n,
    bankFee: 0n,
  });
});

test("a settlement that Monnify reports names all payments that are in none, and the same when it is reported again", async () => {
  const { pay, control, reports } = await notified();
  await pay();
  await pay({ amount: 1_000_000 });
  const [first, second] = credits(reports);
  const sent = await control("settlements", {});
  const settled = (...credited: (BankReport | undefined)[]) =>
    credited.map((credit) => ({ id: credit?.id, amount: credit?.amount, reservation: credit?.reservation }));
  const notice = { settlementId: expect.stringMatching(/^[A-Z0-9]{20}$/), settled: settled(first, second) };
  expect(reports[2]).toEqual(notice);
  const eventData = (sent.body.event as { eventData: Record<string, unknown> }).eventData;
  // What reached the account: each payment without what Monnify kept of it.
  expect(eventData).toMatchObject({ amount: "1000463.22", transactionsCount: 2 });
  const { settlementReference: settlement_reference } = eventData;
  await pay({ amount: 300 });
  await control("settlements", { settlement_reference });
  expect(reports[4]).toEqual(reports[2]);
  await control("settlements", {});
  expect(reports[5]).toMatchObject({ settled: settled(credits(reports).at(2)) });
  expect((await control("settlements", {})).status).toBe(404);
  await control("settlements", { transaction_references: [first?.id], settlement_reference: "ANOTHER", times: 2 });
  expect(reports.slice(6)).toEqual(
    Array.from({ length: 2 }, () => ({ settlementId: "ANOTHER", settled: settled(first) })),
  );
});

test("another event that Monnify sends is nothing of ours", async () => {
  const { control, reports } = await notified();
  await control("events", { eventType: "LOW_BALANCE_ALERT", eventData: { balance: "1199.00" } });
  expect(reports).toEqual([undefined]);
});
