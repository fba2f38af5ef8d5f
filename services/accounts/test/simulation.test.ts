import { issueCustomerAccount, Problem, retireCustomerAccount, simulatePayment } from "@collect/contracts";
import { aMerchant, randomId } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { type PlayedSession, referenceOf, usePath } from "./others.ts";

const { world, path, payments } = await usePath();

async function aCustomer() {
  const merchant = { ...aMerchant("test"), name: "Acme Stores" };
  const { account } = await world.others.request(issueCustomerAccount, {
    merchant,
    customer_reference: "cust_42",
    customer_name: "Ada Obi",
  });
  return { merchant, customer_reference: "cust_42", accountNumber: account.account_number };
}
type Simulated = Parameters<typeof world.others.request<typeof simulatePayment>>[1];
const simulate = (
  { accountNumber: _, ...customer }: Awaited<ReturnType<typeof aCustomer>>,
  body: Omit<Simulated, "merchant" | "customer_reference">,
) => world.others.request(simulatePayment, { ...customer, ...body });
const failure = async (work: Promise<unknown>) => {
  const error = await work.catch((refused) => refused);
  expect(error).toBeInstanceOf(Problem);
  return error as Problem;
};

/** A session of ₦2,500.73 on the customer's own account. */
function aSession(
  { merchant, accountNumber }: Awaited<ReturnType<typeof aCustomer>>,
  given: Partial<PlayedSession> = {},
) {
  const session = {
    merchantId: merchant.id,
    reference: randomId("pay"),
    account_number: accountNumber,
    amount: 250_073n,
    amount_missing: 250_073n,
    is_open: true,
    ...given,
  };
  payments.sessions.push(session);
  return session;
}
const factOf = (merchantId: string) => path.received.all.find((one) => one.merchant.id === merchantId);

describe("simulated outcomes", () => {
  test.each([
    ["paid", 2500.73, 250_073n],
    ["underpaid", 2250.66, 225_066n],
    ["overpaid", 2750.8, 275_080n],
  ] as const)("%s sends %s and answers once the event is recorded", async (outcome, amount, kobo) => {
    const customer = await aCustomer();
    const result = await simulate(customer, { outcome, amount: 2500.73 });
    expect(result).toMatchObject({
      outcome,
      credited: true,
      amount,
      account_number: customer.accountNumber,
      mode: "test",
    });
    expect(result.message).toContain("webhook was queued");
    const fact = factOf(customer.merchant.id);
    expect(fact).toMatchObject({ amount: kobo, payer: { name: "Ada Obi" }, fundedBy: "bank" });
    expect(result.reference).toBe(referenceOf(fact?.intakeId ?? ""));
  });

  test("expired credits nothing, and its reference is not reused", async () => {
    const customer = await aCustomer();
    const results = [
      await simulate(customer, { outcome: "expired", amount: 100 }),
      await simulate(customer, { outcome: "expired", amount: 100 }),
    ];
    for (const result of results) expect(result).toMatchObject({ credited: false, amount: 100 });
    expect(results[0]?.reference).not.toBe(results[1]?.reference);
    expect(factOf(customer.merchant.id)).toBeUndefined();
  });

  test("the payer's name can be set", async () => {
    const customer = await aCustomer();
    await simulate(customer, { outcome: "paid", amount: 1, payer_name: "Chidi Eze" });
    expect(factOf(customer.merchant.id)?.payer.name).toBe("Chidi Eze");
  });

  test("without a webhook URL the message says so", async () => {
    path.deliveryNumber = null;
    const result = await simulate(await aCustomer(), { outcome: "paid", amount: 1 });
    path.deliveryNumber = 7;
    expect(result.message).toContain("No webhook URL");
  });
});

describe("with an open session", () => {
  test.each([
    ["paid", 2500.73],
    ["underpaid", 2250.66],
    ["overpaid", 2750.8],
  ] as const)("%s sends %s without an amount: the amount of the session is owed", async (outcome, amount) => {
    const customer = await aCustomer();
    aSession(customer, { amount: 1n, amount_missing: 1n });
    aSession(customer);
    aSession(customer, { amount: 9n, is_open: false });
    aSession(customer, { account_number: "0000000017" });
    const result = await simulate(customer, { outcome });
    expect(result).toMatchObject({ credited: true, amount, account_number: customer.accountNumber });
  });

  test("an amount already paid is not owed again", async () => {
    const customer = await aCustomer();
    aSession(customer, { amount_missing: 100_000n });
    expect((await simulate(customer, { outcome: "paid" })).amount).toBe(1000);
  });

  test.each([
    ["underpaid", 2500, 2500],
    ["underpaid", 2500.73, 2250.66],
    ["overpaid", 2501, 2501],
    ["overpaid", 2500.73, 2750.8],
    ["paid", 2500, 2500],
  ] as const)("%s with the amount %s sends %s", async (outcome, amount, sent) => {
    const customer = await aCustomer();
    aSession(customer);
    expect((await simulate(customer, { outcome, amount })).amount).toBe(sent);
  });

  test("expired closes the session, credits nothing, and returns its reference and the amount owed", async () => {
    const customer = await aCustomer();
    const session = aSession(customer);
    const result = await simulate(customer, { outcome: "expired" });
    expect(result).toMatchObject({ credited: false, reference: session.reference, amount: 2500.73 });
    expect(result.message).toContain("session expired");
    expect(session.is_open).toBe(false);
    expect((await failure(simulate(customer, { outcome: "expired" }))).errors).toMatchObject([{ param: "amount" }]);
    const again = await simulate(customer, { outcome: "expired", amount: 2500.73 });
    expect(again.reference).not.toBe(session.reference);
    expect(factOf(customer.merchant.id)).toBeUndefined();
  });
});

describe("refusals", () => {
  test("an amount is required, and one that is too small cannot be underpaid", async () => {
    const customer = await aCustomer();
    expect(await failure(simulate(customer, { outcome: "paid" }))).toMatchObject({
      code: "validation_failed",
      errors: [{ param: "amount" }],
    });
    expect(await failure(simulate(customer, { outcome: "underpaid", amount: 0.01 }))).toMatchObject({
      code: "validation_failed",
      errors: [{ param: "amount" }],
    });
    const larger = simulate(customer, { outcome: "overpaid", amount: 9_999_999_999_999.99 });
    expect(await failure(larger)).toMatchObject({ code: "validation_failed", errors: [{ param: "amount" }] });
    for (const amount of [0, -1, 1.005, 1e15])
      expect((await failure(simulate(customer, { outcome: "paid", amount }))).code).toBe("validation_failed");
  });

  test("an amount above the limit of one payment is refused with the limit, and test money per day is limited, too", async () => {
    const customer = await aCustomer();
    const pay = (amount: number) => simulate(customer, { outcome: "paid", amount });
    for (const amount of [10_000_000_000.01, 9_999_999_999_999.99])
      expect(await failure(pay(amount))).toMatchObject({
        code: "validation_failed",
        message: expect.stringContaining("₦10,000,000,000.00"),
        errors: [{ param: "amount", code: "too_big" }],
      });
    expect([await pay(10_000_000_000), await pay(9_999_999_999.99)]).toMatchObject([{ credited: true }, {}]);
    const refused = {
      code: "rate_limited",
      message: expect.stringContaining("₦20,000,000,000.00"),
      retryAfterS: expect.toSatisfy((seconds) => seconds > 0 && seconds <= 86_400),
    };
    expect(await failure(pay(0.02))).toMatchObject(refused);
    expect(await pay(0.01)).toMatchObject({ credited: true });
    expect(await failure(pay(0.01))).toMatchObject(refused);
    // Another merchant has its own limit, and it resets the next day.
    expect(await simulate(await aCustomer(), { outcome: "paid", amount: 1 })).toMatchObject({ credited: true });
    await world.owner.query("update test_volumes set day = day - 1 where merchant_id = $1", [customer.merchant.id]);
    expect(await pay(10_000_000_000)).toMatchObject({ credited: true });
  });

  test("concurrent simulations never exceed the day's limit of test money", async () => {
    const customer = await aCustomer();
    const paid = await Promise.allSettled(
      Array.from({ length: 30 }, () => simulate(customer, { outcome: "paid", amount: 3_000_000_000 })),
    );
    expect(paid.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
  });

  test("there is no failed outcome", async () => {
    expect((await failure(simulate(await aCustomer(), { outcome: "failed" as never, amount: 1 }))).code).toBe(
      "validation_failed",
    );
  });

  test("an unknown customer, a retired account and live mode are refused", async () => {
    const customer = await aCustomer();
    expect(
      (await failure(simulate({ ...customer, customer_reference: "unknown" }, { outcome: "paid", amount: 1 }))).code,
    ).toBe("not_found");
    const live = { ...customer, merchant: { ...customer.merchant, mode: "live" as const } };
    expect((await failure(simulate(live, { outcome: "paid", amount: 1 }))).code).toBe("test_key_required");
    await world.others.request(retireCustomerAccount, customer);
    expect((await failure(simulate(customer, { outcome: "paid", amount: 1 }))).code).toBe("account_retired");
    expect(factOf(customer.merchant.id)).toBeUndefined();
  });

  test("when payments does not respond, nothing is accepted and the caller may retry", async () => {
    const customer = await aCustomer();
    await payments.stop();
    expect((await failure(simulate(customer, { outcome: "paid", amount: 1 }))).code).toBe("service_unavailable");
    await payments.restart();
    expect(factOf(customer.merchant.id)).toBeUndefined();
  });
});
