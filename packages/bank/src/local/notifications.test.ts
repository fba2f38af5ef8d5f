import { Problem } from "@collect/contracts";
import { describe, expect, test } from "vitest";
import { createLocalNotifications } from "./notifications.ts";
import { SIGNATURE_HEADER, signBody } from "./signature.ts";

const notifications = createLocalNotifications(["the new secret", "the old secret"]);
const transfer = {
  id: "T1",
  account_number: "0000014579",
  amount: 2500.73,
  currency: "ngn",
  payer: { name: "Chidi Okafor" },
  paid_at: "2026-11-21T10:30:00.123+01:00",
};
const bytes = (body: object) => Buffer.from(JSON.stringify(body));

describe("a report in our own protocol", () => {
  test.each(["the new secret", "the old secret"])("is authentic if %s signed exactly its bytes", (secret) => {
    const body = bytes(transfer);
    const headers = { [SIGNATURE_HEADER]: signBody(body, secret) };
    expect(notifications.authenticate({ headers, body })).toBe(true);
    expect(notifications.authenticate({ headers, body: bytes({ ...transfer, amount: 2500.74 }) })).toBe(false);
    expect(notifications.authenticate({ headers: {}, body })).toBe(false);
  });

  test("is a credit of which the bank kept nothing, in kobo and UTC", () => {
    expect(notifications.parse(bytes(transfer))).toEqual({
      type: "credit",
      id: "T1",
      reverses: null,
      sessionId: null,
      settlementId: null,
      accountNumber: "0000014579",
      amount: 250_073n,
      bankFee: 0n,
      bankVat: 0n,
      currency: "NGN",
      payer: { name: "Chidi Okafor", accountNumber: null, bankName: null },
      narration: null,
      paidAt: "2026-11-21T09:30:00.123+00:00",
    });
  });

  test("of another type needs neither a payer nor a time", () => {
    const { id, account_number, amount, currency } = transfer;
    const recall = notifications.parse(bytes({ id, account_number, amount, currency, type: "reversal" }));
    expect(recall).toMatchObject({ type: "reversal", id, amount: 250_073n, paidAt: null, payer: { name: "" } });
  });

  test.each([
    ["is not JSON", Buffer.from("{"), "malformed_body"],
    ["lacks a field", bytes({ ...transfer, amount: undefined }), "validation_failed"],
  ])("that %s is refused with %s", (_case, body, code) => {
    const refused = (() => {
      try {
        return notifications.parse(body);
      } catch (error) {
        return error;
      }
    })();
    expect(refused instanceof Problem && refused.code).toBe(code);
  });

  test("gets its id and outcome as the answer; a refusal is a problem document", () => {
    const report = notifications.parse(bytes(transfer));
    for (const outcome of ["accepted", "duplicate", "quarantined", "unallocated"] as const)
      expect(notifications.answer(outcome, report)).toEqual({ status: 200, body: { id: "T1", status: outcome } });
    for (const outcome of ["rejected", "failed"] as const)
      expect(notifications.answer(outcome, report)).toBeUndefined();
  });
});
