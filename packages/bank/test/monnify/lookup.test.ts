import { expect, test } from "vitest";
import { type Exchange, replaying } from "./replay.ts";

/** What Monnify answers when it is asked for a payment, and what must not be made of it. */

const ID = "MNFY-76-000017";
const REFERENCE = "iss_7Qm2";

const answered = (path: string, responseBody: object): Exchange => ({
  request: { method: "GET", path, authorization: "Bearer token-1" },
  response: { status: 200, body: { requestSuccessful: true, responseBody } },
});
const LOGIN: Exchange = {
  request: { method: "POST", path: "/api/v1/auth/login", authorization: "Basic", body: {} },
  response: {
    status: 200,
    body: { requestSuccessful: true, responseBody: { accessToken: "token-1", expiresIn: 3_567 } },
  },
};
const payment = {
  ...{ transactionReference: ID, paymentStatus: "PAID", amountPaid: "1000.00", settlementAmount: "990.00" },
  ...{ currency: "NGN", paidOn: "2026-11-24 09:30:00.0", product: { type: "RESERVED_ACCOUNT", reference: REFERENCE } },
};
const reservation = {
  ...{ accountReference: REFERENCE, accountName: "Ade Stores", status: "ACTIVE" },
  accounts: [{ bankCode: "50515", bankName: "Moniepoint", accountNumber: "6106424552" }],
};

/** The transfer, or the code of the refusal. */
async function found(given: object, reserved?: object) {
  const exchanges = [LOGIN, answered(`/api/v2/transactions/${ID}`, { ...payment, ...given })];
  const asked = answered(`/api/v2/bank-transfer/reserved-accounts/${REFERENCE}`, { ...reservation, ...reserved });
  const { monnify, left, unexpected } = await replaying(reserved ? [...exchanges, asked] : exchanges);
  const outcome = await monnify.lookup.byId(ID).catch(({ code }) => code);
  expect({ left, unexpected }).toEqual({ left: [], unexpected: [] });
  return outcome;
}

const credited = { type: "credit", id: ID, amount: 100_000n, accountNumber: "6106424552" };

test.each(["ACTIVE", "INACTIVE"])("a payment into a reservation that is %s is one into its account", async (status) =>
  expect(await found({}, { status })).toMatchObject(credited),
);

test("an account that the payment names is not asked for", async () => {
  const destinationAccountInformation = { accountNumber: "7203133878" };
  expect(await found({ destinationAccountInformation })).toMatchObject({ ...credited, accountNumber: "7203133878" });
});

test("an answer about another reservation gives no account", async () =>
  expect(await found({}, { accountReference: "iss_OTHER" })).toBe("provider_error"));

test("an account that cannot be read is an error, and not the reservation's", async () =>
  expect(await found({ destinationAccountInformation: { accountNumber: "33****1234" } })).toBe("provider_error"));

test.each([undefined, null])("a payment whose status is %s is not taken as paid", async (paymentStatus) =>
  expect(await found({ paymentStatus })).toBe("provider_error"),
);

test("a payment of which nothing was paid is no transfer, and one that is not settled no credit", async () => {
  expect(await found({ paymentStatus: "PENDING", amountPaid: "0.00" })).toBeUndefined();
  expect(await found({ paymentStatus: "PENDING" }, {})).toMatchObject({ type: "payment_pending" });
});
