import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BankNotice, BankTransfer, isBankNotice } from "./notification.ts";

const transfer = {
  id: "TRF/2026/000001",
  account_number: "0000014579",
  amount: 2500.73,
  currency: "NGN",
  payer: { name: "Chidi Okafor", account_number: "0123456789", bank_name: "First Bank" },
  narration: "rent, November",
  paid_at: "2026-11-21T10:30:00.123+01:00",
};
const KEPT_NOTHING = { bank_fee: 0n, bank_vat: 0n, session_id: null, settlement_id: null };
const accepts = (changes: object) => BankTransfer.safeParse({ ...transfer, ...changes }).success;

describe("a transfer from the partner bank", () => {
  test("is parsed to kobo, and its time to UTC with milliseconds", () => {
    expect(BankTransfer.parse(transfer)).toEqual({
      ...transfer,
      type: "credit",
      amount: 250_073n,
      paid_at: "2026-11-21T09:30:00.123+00:00",
      ...KEPT_NOTHING,
    });
  });

  test("may say what the bank kept of it, and what the bank calls it", () => {
    const named = { session_id: "0000142611211030001234567890", settlement_id: "ST-1" };
    const parsed = BankTransfer.parse({ ...transfer, bank_fee: 53.75, bank_vat: 4.03, ...named });
    expect(parsed).toMatchObject({ bank_fee: 5_375n, bank_vat: 403n, ...named });
  });

  test("with a charge below zero is parsed, so that it can be quarantined", () =>
    expect(BankTransfer.parse({ ...transfer, bank_fee: -0.01 }).bank_fee).toBe(-1n));

  test("with a fraction of a kobo as charge is refused", () => expect(accepts({ bank_vat: 1.005 })).toBe(false));

  test("may omit the narration and the payer's account and bank, or set them to null", () => {
    const silent = { ...transfer, payer: { name: "Chidi Okafor" }, narration: undefined };
    const explicit = {
      ...transfer,
      payer: { name: "Chidi Okafor", account_number: null, bank_name: null },
      narration: null,
    };
    const parsed = BankTransfer.parse(silent);
    expect(parsed.payer).toEqual({ name: "Chidi Okafor", account_number: null, bank_name: null });
    expect(parsed.narration).toBeNull();
    expect(BankTransfer.parse(explicit)).toEqual(parsed);
  });

  test("is stripped of unknown fields", () => {
    expect(BankTransfer.parse({ ...transfer, mode: "test" })).not.toHaveProperty("mode");
  });

  test("in another currency is parsed, so that it can be quarantined", () =>
    expect(accepts({ currency: "USD" })).toBe(true));

  test.each([
    ["2026-11-21T09:30:00Z", "2026-11-21T09:30:00.000+00:00"],
    ["2026-11-21T09:30:00.123456789Z", "2026-11-21T09:30:00.123+00:00"],
    ["2026-01-01T00:15:00+01:00", "2025-12-31T23:15:00.000+00:00"],
    ["2026-11-21T09:30:00-05:30", "2026-11-21T15:00:00.000+00:00"],
  ])("paid at %s is paid at %s", (given, inUtc) =>
    expect(BankTransfer.parse({ ...transfer, paid_at: given }).paid_at).toBe(inUtc),
  );

  test("keeps the same instant for any offset", () => {
    const instants = fc.date({
      min: new Date("2000-01-02T00:00:00Z"),
      max: new Date("9999-12-30T00:00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instants, fc.integer({ min: -14, max: 14 }), (instant, hours) => {
        const local = new Date(instant.getTime() + hours * 3_600_000).toISOString().slice(0, -1);
        const offset = `${hours < 0 ? "-" : "+"}${String(Math.abs(hours)).padStart(2, "0")}:00`;
        const { paid_at } = BankTransfer.parse({ ...transfer, paid_at: `${local}${offset}` });
        expect(paid_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
        expect(new Date(paid_at)).toEqual(instant);
      }),
    );
  });
});

describe("a transfer is refused", () => {
  test.each<[string, object]>([
    ["without an id", { id: undefined }],
    ["with an empty id", { id: "" }],
    ["with an id of 101 characters", { id: "x".repeat(101) }],
    ["with a control character in its id", { id: "a\u0000b" }],
    ["with a line break in its id", { id: "a\nb" }],
    ["with half a surrogate pair in its id", { id: "a\ud800" }],
    ["with a number as id", { id: 7 }],
    ["to an account of 9 digits", { account_number: "000001457" }],
    ["with an amount of zero", { amount: 0 }],
    ["with a negative amount", { amount: -1 }],
    ["with an amount of three decimals", { amount: 1.005 }],
    ["with an amount as a string", { amount: "2500.73" }],
    ["of another type", { type: "reversal" }],
    ["without a currency", { currency: undefined }],
    ["in a currency of 4 letters", { currency: "NAIR" }],
    ["in a currency with a digit", { currency: "NG1" }],
    ["without a payer", { payer: undefined }],
    ["from a payer without a name", { payer: {} }],
    ["from a payer with a name of 201 characters", { payer: { name: "x".repeat(201) } }],
    ["from a payer with a NUL in the name", { payer: { name: "a\u0000" } }],
    ["from an account number of 35 characters", { payer: { name: "A", account_number: "1".repeat(35) } }],
    ["from a bank name of 101 characters", { payer: { name: "A", bank_name: "x".repeat(101) } }],
    ["with a narration of 201 characters", { narration: "x".repeat(201) }],
    ["without a time", { paid_at: undefined }],
    ["with a time without offset", { paid_at: "2026-11-21T09:30:00" }],
    ["with a day only", { paid_at: "2026-11-21" }],
    ["on the 30th of February", { paid_at: "2026-02-30T09:30:00Z" }],
    ["with a time in seconds", { paid_at: 1_795_253_400 }],
    ["in the year 0", { paid_at: "0000-01-01T00:00:00Z" }],
    ["before the year 0", { paid_at: "0000-01-01T00:00:00+05:00" }],
    ["after the year 9999", { paid_at: "9999-12-31T23:59:59-05:00" }],
  ])("%s", (_case, changes) => expect(accepts(changes)).toBe(false));

  test("at the boundaries it is accepted", () => {
    expect(
      accepts({ id: "é".repeat(100), payer: { name: "x".repeat(200) }, narration: "x".repeat(200), amount: 0.01 }),
    ).toBe(true);
  });
});

describe("real money is never refused because of its amount", () => {
  test.each([
    [9_999_999_999_999.99, 999_999_999_999_999n],
    [10_000_000_000_000, 1_000_000_000_000_000n],
    [1e15, 100_000_000_000_000_000n],
    [1e17, 9_223_372_036_854_775_807n],
    [1e300, 9_223_372_036_854_775_807n],
  ])("%s naira", (amount, kobo) => expect(BankTransfer.parse({ ...transfer, amount }).amount).toBe(kobo));
});

describe("a report that is not a credit", () => {
  test.each([
    ["has the type reversal", "reversal", true],
    ["has an unknown type", "chargeback.v2", true],
    ["has a number as type", 7, true],
    ["is a credit", "credit", false],
    ["has the type null", null, false],
    ["has no type", undefined, false],
  ])("%s", (_case, type, expected) => expect(isBankNotice({ ...transfer, type })).toBe(expected));

  test("needs no payer, time or narration", () => {
    const { id, account_number, amount, currency } = transfer;
    expect(BankNotice.parse({ type: "reversal", id, account_number, amount, currency })).toEqual({
      type: "reversal",
      id,
      account_number,
      amount: 250_073n,
      currency,
      ...KEPT_NOTHING,
      reverses: null,
      paid_at: null,
    });
  });

  test("may name the credit that it takes back, and say when", () => {
    const taken = { reverses: "TRF/2026/000000", paid_at: "2026-11-22T10:30:00+01:00" };
    expect(BankNotice.parse({ ...transfer, type: "reversal", ...taken })).toMatchObject({
      reverses: "TRF/2026/000000",
      paid_at: "2026-11-22T09:30:00.000+00:00",
    });
  });

  test.each([
    ["without an id", { id: undefined }],
    ["with an amount of zero", { amount: 0 }],
    ["with an id of the credit that is empty", { reverses: "" }],
    ["with a time of the last millennium", { paid_at: "1999-12-31T00:00:00Z" }],
    ["with a type of 41 characters", { type: "x".repeat(41) }],
    ["with a type that cannot be displayed", { type: "a\nb" }],
  ])("is refused %s", (_case, changes) =>
    expect(BankNotice.safeParse({ ...transfer, type: "reversal", ...changes }).success).toBe(false),
  );
});
