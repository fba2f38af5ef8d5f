import {
  collectionRecorded,
  type Fact,
  issueCustomerAccount,
  Problem,
  retireCustomerAccount,
  simulatePayment,
  transferReceived,
} from "@collect/contracts";
import { aMerchant, type FactLog, recordFacts } from "@collect/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AccountsWorld, openAccounts } from "./world.ts";

let world: AccountsWorld;
let received: FactLog<typeof transferReceived>;
/** The rest of the path, played by this test: the event is recorded, with a delivery or without. */
let deliveryNumber: number | null = 7;

beforeAll(async () => {
  world = await openAccounts();
  received = await recordFacts(world.others, transferReceived);
  world.others.listen(transferReceived, (facts) => {
    const recorded = facts.map((raw): Fact<typeof collectionRecorded> => {
      const { intakeId, merchant, receivedAt } = transferReceived.data.parse(raw);
      return {
        intakeId,
        merchant,
        reference: intakeId.replace("int_", "col_"),
        sequence: 1,
        deliveryNumber,
        recordedAt: receivedAt,
      };
    });
    void world.others.publish(collectionRecorded, recorded);
  });
});
afterAll(async () => {
  await world.stop();
  await world.close();
});

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
    const fact = received.all.find((one) => one.merchant.id === customer.merchant.id);
    expect(fact).toMatchObject({ amount: kobo, payer: { name: "Ada Obi" }, fundedBy: "bank" });
    expect(result.reference).toBe(fact?.intakeId.replace("int_", "col_"));
  });

  test("expired credits nothing, and its reference is never used again", async () => {
    const customer = await aCustomer();
    const results = [
      await simulate(customer, { outcome: "expired", amount: 100 }),
      await simulate(customer, { outcome: "expired", amount: 100 }),
    ];
    for (const result of results) expect(result).toMatchObject({ credited: false, amount: 100 });
    expect(results[0]?.reference).not.toBe(results[1]?.reference);
    expect(received.all.some((one) => one.merchant.id === customer.merchant.id)).toBe(false);
  });

  test("the payer can be named", async () => {
    const customer = await aCustomer();
    await simulate(customer, { outcome: "paid", amount: 1, payer_name: "Chidi Eze" });
    expect(received.all.find((one) => one.merchant.id === customer.merchant.id)?.payer.name).toBe("Chidi Eze");
  });

  test("without a webhook URL the message says so", async () => {
    deliveryNumber = null;
    const result = await simulate(await aCustomer(), { outcome: "paid", amount: 1 });
    deliveryNumber = 7;
    expect(result.message).toContain("No webhook URL");
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
    for (const amount of [0, -1, 1.005, 1e15])
      expect((await failure(simulate(customer, { outcome: "paid", amount }))).code).toBe("validation_failed");
  });

  test("there is no failed outcome", async () => {
    expect((await failure(simulate(await aCustomer(), { outcome: "failed" as never, amount: 1 }))).code).toBe(
      "validation_failed",
    );
  });

  test("an unknown customer, a retired account and live mode", async () => {
    const customer = await aCustomer();
    expect(
      (await failure(simulate({ ...customer, customer_reference: "nobody" }, { outcome: "paid", amount: 1 }))).code,
    ).toBe("not_found");
    const live = { ...customer, merchant: { ...customer.merchant, mode: "live" as const } };
    expect((await failure(simulate(live, { outcome: "paid", amount: 1 }))).code).toBe("test_key_required");
    await world.others.request(retireCustomerAccount, customer);
    expect((await failure(simulate(customer, { outcome: "paid", amount: 1 }))).code).toBe("account_retired");
    expect(received.all.some((one) => one.merchant.id === customer.merchant.id)).toBe(false);
  });
});
