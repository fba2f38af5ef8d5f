import { once } from "node:events";
import type { BankReport } from "@collect/bank";
import { describe, expect, test } from "vitest";
import { door, problem, simulator } from "./simulator.ts";

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
const credits = (reports: unknown[]) => reports.filter((report): report is BankReport => typeof report === "object");

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
      paidAt: "2026-11-23T14:05:06.789+00:00",
    });
    const known = {
      id: expect.anything(),
      sessionId: expect.anything(),
      paidAt: expect.stringMatching(/^2026-11-23T14:05:06/),
    };
    for (const other of others) expect(other).toEqual({ ...first, ...known });
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

  test("counts with what Monnify confirms, if each payment is to be confirmed", async () => {
    const { pay, monnify, reports } = await notified();
    await pay({ claims: { amountPaid: 99_999 } });
    const [report] = credits(reports);
    if (!report) throw new Error("the payment was not reported");
    expect(report).toMatchObject({ amount: 9_999_900n, bankFee: 9_753_578n });
    expect(await monnify().notifications.confirm(report)).toEqual(report);
    const { confirm } = monnify({ confirmsCredits: true }).notifications;
    expect(await confirm(report)).toEqual({ ...report, amount: 250_073n, bankFee: 3_751n });
    expect(await confirm({ ...report, id: "MNFY|00|20260101000000|000000" })).toBeUndefined();
    expect(await confirm({ ...report, accountNumber: "0123456789" })).toBeUndefined();
  });
});

describe("a refund that Monnify reports", () => {
  test("takes back a part of its payment, on the account that was given out", async () => {
    const { pay, control, monnify, reports, accountNumber } = await notified();
    await pay();
    const [credit] = credits(reports);
    await control("refunds", { transaction_reference: credit?.id, amount: 500, refund_reference: "ref_1" });
    const refund = credits(reports)[1];
    expect(refund).toMatchObject({
      type: "reversal",
      id: "reversal:ref_1",
      reverses: credit?.id,
      amount: 50_000n,
      bankFee: 0n,
    });
    if (!refund) throw new Error("the refund was not reported");
    expect(await monnify().notifications.confirm(refund)).toEqual({ ...refund, accountNumber });
  });

  test("is confirmed later if Monnify does not answer now", async () => {
    const { pay, control, monnify, reports } = await notified();
    await pay();
    await control("refunds", { transaction_reference: credits(reports)[0]?.id, amount: 500 });
    const refund = credits(reports)[1];
    if (!refund) throw new Error("the refund was not reported");
    await control("behaviour", { operation: "transaction", behaviour: "timeout", times: 1 });
    const { confirm } = monnify({ timeoutMs: 200 }).notifications;
    expect((await problem(confirm(refund))).code).toBe("provider_timeout");
    expect(await confirm(refund)).toMatchObject({ type: "reversal" });
  });
});

test("another event that Monnify sends is nothing of ours", async () => {
  const { control, reports } = await notified();
  const eventData = { amount: "1199.00", settlementReference: "LB8HG1PNZT4ATJGZXQBY", transactions: [] };
  await control("events", { eventType: "SETTLEMENT", eventData });
  expect(reports).toEqual([undefined]);
});
