import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BANKS, createMonnify } from "../../src/index.ts";
import { bankByMonnifyCode, monnifyBankCode } from "../../src/monnify/bank-codes.ts";
import { monnifyInstant } from "../../src/monnify/instant.ts";
import { givenAccount } from "../../src/monnify/issuing.ts";
import { REFUSALS, STATUSES, stateOf } from "../../src/monnify/payout-state.ts";
import { casesOf } from "../corpus.ts";
import { credentials } from "./replay.ts";

describe("Monnify's signature", () => {
  const { notifications } = createMonnify({ url: "http://127.0.0.1:1", ...credentials, timeoutMs: 100 });
  const signatureOf = (body: Uint8Array | string) =>
    createHmac("sha512", credentials.secretKey).update(body).digest("hex");
  const authenticate = (body: Uint8Array, signature: string | string[] | undefined) =>
    notifications.authenticate({ headers: { "monnify-signature": signature }, body });

  test("of any bytes is accepted, and of none that differ in one", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (body, at, flip) => {
          const changed = body.map((byte, position) => (position === at % body.length ? byte ^ flip : byte));
          expect([authenticate(body, signatureOf(body)), authenticate(changed, signatureOf(body))]).toEqual([
            true,
            false,
          ]);
        },
      ),
    );
  });

  test("is over the bytes as they came: the same JSON in other bytes is not the same", () => {
    const sent = '{"eventType": "SUCCESSFUL_TRANSACTION", "eventData": {"amountPaid": 3000.00}}';
    const again = JSON.stringify(JSON.parse(sent));
    expect(authenticate(Buffer.from(sent), signatureOf(sent))).toBe(true);
    expect(authenticate(Buffer.from(again), signatureOf(sent))).toBe(false);
  });

  const body = Buffer.from("{}");
  test.each([
    ["missing", undefined],
    ["sent twice", [signatureOf(body), signatureOf(body)]],
    ["empty", ""],
    ["truncated", signatureOf(body).slice(0, -1)],
    ["uppercase", signatureOf(body).toUpperCase()],
    ["a plain SHA-512 of key and body", createHmac("sha512", "").update(`${credentials.secretKey}{}`).digest("hex")],
  ])("that is %s is refused", (_case, header) => expect(authenticate(body, header)).toBe(false));

  test("with a former key is accepted while the secret key is replaced", () => {
    const options = { url: "http://127.0.0.1:1", ...credentials, secretKey: "the new key", timeoutMs: 100 };
    const signed = { headers: { "monnify-signature": signatureOf("{}") }, body: Buffer.from("{}") };
    expect(createMonnify(options).notifications.authenticate(signed)).toBe(false);
    const replacing = createMonnify({ ...options, formerSecretKeys: [credentials.secretKey] });
    expect(replacing.notifications.authenticate(signed)).toBe(true);
  });

  test("is answered with 200 once the report is kept, and with our problem document where Monnify shall try again", () => {
    for (const outcome of ["accepted", "duplicate", "quarantined", "unallocated"] as const)
      expect(notifications.answer(outcome)).toEqual({ status: 200, body: { status: outcome } });
    for (const outcome of ["rejected", "failed"] as const) expect(notifications.answer(outcome)).toBeUndefined();
  });

  test.each([
    ["not JSON", "malformed_body"],
    ['["a list"]', "validation_failed"],
    ["null", "validation_failed"],
  ])("does not make %s a report", (text, code) =>
    expect(() => notifications.parse(Buffer.from(text))).toThrow(expect.objectContaining({ code })),
  );
});

describe("an authentic event", () => {
  const { notifications } = createMonnify({ url: "http://127.0.0.1:1", ...credentials, timeoutMs: 100 });
  const [[, { notification }] = ["", { notification: { eventData: {} } }]] = casesOf<{
    notification: { eventData: object };
  }>("monnify", "events");

  test("with anything in any of its fields is a report, nothing, or refused with the field at fault", () => {
    const fields = fc.constantFrom(...Object.keys(notification.eventData));
    const types = fc.constantFrom(
      ...["SUCCESSFUL_TRANSACTION", "SUCCESSFUL_REFUND", "SETTLEMENT", "REVERSED_DISBURSEMENT", "SOMETHING_NEW"],
    );
    fc.assert(
      fc.property(types, fc.dictionary(fields, fc.jsonValue(), { maxKeys: 3 }), (eventType, changes) => {
        const event = { eventType, eventData: { ...notification.eventData, ...changes } };
        try {
          const report = notifications.parse(Buffer.from(JSON.stringify(event)));
          if (report && "amount" in report) expect(report.amount).toBeGreaterThan(0n);
        } catch (error) {
          expect(error).toMatchObject({
            code: "validation_failed",
            errors: expect.arrayContaining([expect.anything()]),
          });
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("Monnify's bank codes", () => {
  test("are one for each of our banks, and lead back to it", () => {
    for (const { code, name } of BANKS) expect(bankByMonnifyCode(monnifyBankCode(code))).toMatchObject({ code, name });
    expect(new Set(BANKS.map(({ code }) => monnifyBankCode(code))).size).toBe(BANKS.length);
  });

  test.each([
    ["950515", "50515"],
    ["950211", "50211"],
    ["103", "00103"],
    ["999992", "305"],
    ["999991", "100033"],
    ["058", "058"],
    ["120001", "120001"],
  ])("of %s is %s", (ours, theirs) => expect(monnifyBankCode(ours)).toBe(theirs));

  test("are understood where it uses NIP's in their place", () => {
    expect(bankByMonnifyCode("000014")).toMatchObject({ code: "044", name: "Access Bank" });
    expect(bankByMonnifyCode("100004")).toMatchObject({ code: "999992", name: "OPay" });
  });

  test("of a bank that we do not list has no name", () => {
    for (const code of ["", "000", "090270", "__proto__"]) expect(bankByMonnifyCode(code)).toBeUndefined();
  });
});

describe("Monnify's times", () => {
  test("with the day first are the same as with the year first", () => {
    const instants = fc.date({
      min: new Date("2001-01-01T00:00:00Z"),
      max: new Date("2090-01-01T00:00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instants, (date) => {
        const [year, month, day, hour, minute, second] = date.toISOString().split(/\D/);
        const twelve = `${Number(hour) % 12 || 12}:${minute}:${second} ${Number(hour) < 12 ? "AM" : "PM"}`;
        const plain = monnifyInstant(`${year}-${month}-${day} ${hour}:${minute}:${second}`);
        expect(plain).toMatch(/\+00:00$/);
        expect(monnifyInstant(`${day}/${month}/${year} ${twelve}`)).toBe(plain);
        expect(monnifyInstant(`${Number(day)}/${Number(month)}/${year} ${twelve}`)).toBe(plain);
      }),
    );
  });

  test.each([
    ["17/11/2021 3:48:10 PM", "2021-11-17T14:48:10.000+00:00"],
    ["18/07/2022 04:23:55 PM", "2022-07-18T15:23:55.000+00:00"],
    ["09/10/2020 12:31:56 AM", "2020-10-08T23:31:56.000+00:00"],
    ["2021-11-17 11:28:42.615", "2021-11-17T10:28:42.615+00:00"],
    ["2023-06-26 17:53:55.0", "2023-06-26T16:53:55.000+00:00"],
    ["2022-11-03T14:13:38.140+0000", "2022-11-03T14:13:38.140+00:00"],
  ])("%s is %s", (text, instant) => expect(monnifyInstant(text)).toBe(instant));

  test.each(["", "11/17/2021 3:48:10 PM", "31/02/2021 3:48:10 PM", "2021-02-31 10:00:00", "now"])(
    "%j is none",
    (text) => expect(monnifyInstant(text)).toBeUndefined(),
  );
});

test("the account that is given out does not depend on the order in which Monnify lists a customer's accounts", () => {
  const account = fc.record({
    bankCode: fc.constantFrom("50515", "035", "232", "058", "214", "111", "999"),
    bankName: fc.constant("Bank"),
    accountNumber: fc.stringMatching(/^\d{10}$/),
  });
  const listed = fc.uniqueArray(account, { maxLength: 8, selector: ({ accountNumber }) => accountNumber });
  fc.assert(
    fc.property(listed, fc.nat(), (accounts, turn) => {
      const at = accounts.length && turn % accounts.length;
      const given = (list: typeof accounts) =>
        givenAccount({ accountReference: "r", accountName: "A", accounts: list });
      expect(given([...accounts.slice(at), ...accounts.slice(0, at)])).toEqual(given(accounts.toReversed()));
    }),
  );
});

describe("only a definite refusal is a failure:", () => {
  test.each(STATUSES)("%s", (status) => {
    const state = stateOf({ status, comment: null, transactionDescription: null });
    expect(typeof state === "object" && state.status === "failed").toBe(status === "EXPIRED");
  });

  const failedFor = (comment: string | null) => stateOf({ status: "FAILED", comment, transactionDescription: null });

  test.each([
    "Invalid destination account number",
    "Dormant beneficiary account",
    "Beneficiary account name mismatch",
    "Post No Credit restriction on beneficiary account",
    "Rejected by destination institution",
    "Suspected fraud",
    "Beneficiary account limit exceeded",
    "Sender not permitted to credit beneficiary",
    "Account number could not be validated",
    "You do not have sufficient balance to process this request. Please fund your account and try again.",
  ])("FAILED: %s", (reason) => expect(failedFor(reason)).toMatchObject({ status: "failed" }));

  test.each([
    null,
    "",
    "Transaction timed out while waiting for destination bank",
    "Delayed processing from NIP",
    "Beneficiary bank not available",
    "Invalid session ID",
    "Invalid response code from beneficiary Institution",
    "System malfunction by destination institution",
    "Unable to complete the transaction at this time",
    "Transaction Failed",
    "System Malfunction - Internal service failure",
    "Processor Malfunction - Transaction transmission failed",
    "Time limit exceeded while waiting for a response",
    "No credit confirmation received",
  ])("not FAILED, but pending until an operator ends it: %s", (reason) =>
    expect(failedFor(reason)).toMatchObject({ status: "pending", isUncertain: true }),
  );

  test("of the refusals of an order, those after which the money certainly did not move", () => {
    const failed = [...REFUSALS].flatMap(([code, { status }]) => (status === "failed" ? [code] : []));
    expect(failed).toEqual(["D03", "D04", "D06"]);
  });
});
