import type { BankReport } from "@collect/bank";
import { findPartnerTransfer, Problem, withdrawMissedTransfer } from "@collect/contracts";
import { until } from "@collect/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { aLine, lines, offer, serveOffers, whileClaimed } from "./offering.ts";
import { aLiveMerchant, hint, issueTo, OWN, rowsReported, startWithPartner } from "./partners-world.ts";
import { aReport, PAID_AT } from "./world.ts";

/** Offers of lines of a partner that can be asked for a transfer. */

const { partner, world } = await startWithPartner();
await serveOffers(world);

beforeEach(() => {
  partner.respond = async (given) => given;
});

const SESSION = "000023261121093000";
let serial = 0;

/** A transfer of ₦1,000 that the bank has, and never notified, with the line of its statement: the bank kept ₦5.37 of it. */
async function aLost() {
  const merchant = aLiveMerchant();
  const { account } = await issueTo(world, merchant, "cust_1");
  const id = `S-${++serial}`;
  const known: BankReport = {
    ...{ type: "credit", id, reverses: null, sessionId: `${SESSION}${String(serial).padStart(12, "0")}` },
    ...{ settlementId: id, accountNumber: account.account_number, amount: 100_000n, bankFee: 500n, bankVat: 37n },
    ...{ currency: "NGN", narration: "rent", paidAt: PAID_AT },
    payer: { name: "CHIDI EZE", accountNumber: "0123456789", bankName: "First Bank" },
  };
  partner.known.push(known);
  const line = aLine({ bank: partner.id, amount: 99_463n, session_id: known.sessionId });
  return { merchant, known, line, account: account.account_number };
}
type Lost = Awaited<ReturnType<typeof aLost>>;

const rowsOf = ({ known }: Lost) => rowsReported(world, known.id);
const given = ({ known, account }: Lost) => aReport(account, { id: known.id });
const offerOf = (lost: Lost, other: object = {}) =>
  offer(given(lost), { line: lost.line, amount: "100000", paid_at: null, ...other }).then(
    ({ status }) => status,
    ({ code, detail }: Problem) => `${code}: ${detail}`,
  );
const notify = async ({ known, account }: Lost) => {
  partner.respond = async () => known;
  return (await hint(world, { id: known.id, account, kobo: 100_000 })).body.code;
};

test("what the partner says is credited, with its fee, VAT, session, payer and time, and its late notification is a duplicate", async () => {
  const lost = await aLost();
  expect(await offerOf(lost)).toBe("accepted");
  expect(await rowsOf(lost)).toMatchObject([
    {
      ...{ bank: "hinting", merchant_id: lost.merchant.id, amount: 100_000n, bank_fee: 500n, bank_vat: 37n },
      ...{ session_id: lost.known.sessionId, settlement_id: lost.known.id, payer_name: "CHIDI EZE", paid_at: PAID_AT },
      ...{ payer_account_number: "0123456789", narration: "rent" },
    },
  ]);
  expect(await notify(lost)).toBe("01");
  expect(await offerOf(lost)).toBe("duplicate");
  expect(await rowsOf(lost)).toHaveLength(1);
});

describe("an offer that the partner contradicts credits nothing, and leaves its line free for the right one", () => {
  test.each<[string, object, string]>([
    ["another account", { account_number: "9999999999" }, "account_number is 9"],
    ["another amount", { amount: "190000" }, "amount is ₦1,000.00"],
    ["the line's amount as what the payer sent", { amount: "99463" }, "amount is ₦1,000.00"],
  ])("%s", async (_case, other, says) => {
    const lost = await aLost();
    expect(await offerOf(lost, other)).toContain(
      `offer_contradicts_partner: The bank says something else than the offer: ${says}`,
    );
    expect(lines.get(lost.line)?.offer).toBeUndefined();
    expect(await rowsOf(lost)).toEqual([]);
    expect(await offerOf(lost)).toBe("accepted");
  });

  test.each<[string, object, string]>([
    ["a line of another amount", { amount: 99_462n }, "the line's amount is ₦994.63"],
    ["a line of another session", { session_id: "0".repeat(30) }, "the line's session_id is 000023"],
  ])("%s", async (_case, changes, says) => {
    const lost = await aLost();
    const line = aLine({ bank: partner.id, amount: 99_463n, session_id: lost.known.sessionId, ...changes });
    expect(await offerOf(lost, { line })).toContain(says);
    expect(lines.get(line)?.offer).toBeUndefined();
    expect(await rowsOf(lost)).toEqual([]);
  });

  test.each<[string, Partial<BankReport>, string]>([
    ["a credit that was not paid", { type: "payment_failed" }, "type is payment_failed"],
    ["another currency", { currency: "USD" }, "currency is USD"],
    ["one of another month", { paidAt: "2026-10-01T09:30:00.000+00:00" }, "paid_at is 2026-10-01"],
  ])("%s", async (_case, changes, says) => {
    const lost = await aLost();
    Object.assign(lost.known, changes);
    expect(await offerOf(lost)).toContain(says);
    expect(await rowsOf(lost)).toEqual([]);
  });
});

test("an id that the partner does not know is refused, and no answer credits nothing until it is repeated", async () => {
  const lost = await aLost();
  expect(await offerOf(lost, { bank_transfer_id: "x2" })).toBe("not_found: The bank knows no transfer with this id.");
  const { byId } = partner.lookup ?? {};
  if (!partner.lookup || !byId) throw new Error("the partner can be asked");
  partner.lookup.byId = () => Promise.reject(new Problem("provider_timeout", "The bank did not respond."));
  expect(await offerOf(lost)).toContain("provider_timeout");
  expect(lines.get(lost.line)?.offer).toBeUndefined();
  expect(await rowsOf(lost)).toEqual([]);
  partner.lookup.byId = byId;
  expect(await offerOf(lost)).toBe("accepted");
});

describe("the partner's own notification of it is credited once", () => {
  test("if it comes before", async () => {
    const lost = await aLost();
    expect(await notify(lost)).toBe("00");
    expect(await offerOf(lost)).toBe("duplicate");
    expect(await rowsOf(lost)).toHaveLength(1);
  });

  test("if it comes between the claim of the line and the credit", async () => {
    const lost = await aLost();
    const codes: string[] = [];
    whileClaimed(async () => void codes.push(await notify(lost)));
    expect(await offerOf(lost)).toBe("duplicate");
    expect(codes).toEqual(["00", "01"]);
    expect(await rowsOf(lost)).toHaveLength(1);
  });

  test("if it comes at once with two offers", async () => {
    const lost = await aLost();
    const outcomes = await Promise.all([offerOf(lost), notify(lost), offerOf(lost)]);
    expect(outcomes.filter((outcome) => ["accepted", "00"].includes(outcome))).toHaveLength(1);
    expect(outcomes.filter((outcome) => ["duplicate", "01"].includes(outcome))).toHaveLength(2);
    expect(await rowsOf(lost)).toHaveLength(1);
  });
});

const withdraw = (line: string, bank_transfer_id: string) =>
  world.others.request(withdrawMissedTransfer, { line, bank_transfer_id, reason: "an invented id" });

test("an act that is killed between the confirmation and the credit is repeated, and confirmed anew", async () => {
  const lost = await aLost();
  let claims = 0;
  whileClaimed(async () => {
    if (++claims <= 2) throw new Problem("service_unavailable", "Killed here.");
  });
  expect(await offerOf(lost)).toContain("service_unavailable");
  expect(await rowsOf(lost)).toEqual([]);
  expect(await offerOf(lost)).toContain("service_unavailable");
  expect(await offerOf(lost)).toBe("accepted");
  expect(await rowsOf(lost)).toHaveLength(1);
});

test("what was offered under a wrong id before the partner was asked can still be withdrawn", async () => {
  const lost = await aLost();
  const line = lines.get(lost.line);
  if (line) line.offer = { id: "x2", offered_at: PAID_AT };
  await withdraw(lost.line, "x2");
  await until("it is free", () => !lines.get(lost.line)?.offer);
  expect(await offerOf(lost)).toBe("accepted");
});

test("the session that only the partner named is free once the offer that died is withdrawn", async () => {
  const lost = await aLost();
  const line = aLine({ bank: partner.id, amount: 99_463n });
  let claims = 0;
  whileClaimed(async () => {
    if (++claims === 2) throw new Problem("service_unavailable", "Killed here.");
  });
  expect(await offerOf(lost, { line })).toContain("service_unavailable");
  const notified = async (id: string) => {
    partner.respond = async () => ({ ...lost.known, id });
    await hint(world, { id, account: lost.account, kobo: 100_000 });
    return rowsReported(world, id);
  };
  expect(await notified(`${lost.known.id}-early`)).toEqual([]);
  await withdraw(line, lost.known.id);
  expect(await notified(`${lost.known.id}-late`)).toHaveLength(1);
});

test("a time of payment that cannot be is refused from an operator", async () => {
  const lost = await aLost();
  for (const paid_at of ["9999-12-31T00:00:00.000+00:00", "2001-01-01T00:00:00.000+00:00"])
    expect(await offerOf(lost, { paid_at })).toContain(
      "validation_failed: The time of payment has to be within the last 90 days",
    );
  expect(await rowsOf(lost)).toEqual([]);
});

test("before an offer the partner is asked by the id or by the session, and one that cannot be asked says so", async () => {
  const { known } = await aLost();
  const find = (sought: object) => world.others.request(findPartnerTransfer, { bank: partner.id, ...sought });
  const asked_by = ["bank_transfer_id", "session_id"];
  const transfer = {
    ...{ bank_transfer_id: known.id, account_number: known.accountNumber, amount: "100000", arrived: "99463" },
    ...{ session_id: known.sessionId, payer_name: "CHIDI EZE", paid_at: PAID_AT },
  };
  expect(await find({ bank_transfer_id: known.id })).toEqual({ asked_by, transfer });
  expect(await find({ session_id: known.sessionId })).toEqual({ asked_by, transfer });
  for (const sought of [{}, { bank_transfer_id: "x2" }, { session_id: "0" }])
    expect(await find(sought)).toEqual({ asked_by, transfer: null });
  expect(await find({ bank: OWN.id, bank_transfer_id: known.id })).toEqual({ asked_by: [], transfer: null });
});
