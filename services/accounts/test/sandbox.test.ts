import {
  issueCollectionAccount,
  issueCustomerAccount,
  Problem,
  retireCustomerAccount,
  sandboxPay,
} from "@collect/contracts";
import { aMerchant, randomId } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { type PlayedSession, referenceOf, usePath } from "./others.ts";

const { world, path, payments } = await usePath();

const merchant = () => ({ ...aMerchant("test"), name: "Acme Stores" });
type Merchant = ReturnType<typeof merchant>;
type Asked = Parameters<typeof world.others.request<typeof sandboxPay>>[1];
const pay = (who: Merchant, body: Omit<Asked, "merchant">) =>
  world.others.request(sandboxPay, { merchant: who, ...body });
const collectionAccount = async (who: Merchant, position = 1) =>
  (await world.others.request(issueCollectionAccount, { merchant: who, position })).account_number;
const accountsOf = async ({ id }: Merchant) =>
  (await world.owner.query("select * from collection_accounts where merchant_id = $1", [id])).rows;
const failure = async (work: Promise<unknown>) => {
  const error = await work.catch((refused) => refused);
  expect(error).toBeInstanceOf(Problem);
  return error as Problem;
};
const factsOf = (who: Merchant) => path.received.all.filter((fact) => fact.merchant.id === who.id);

/** A session of ₦2,500.73 on one of the merchant's collection accounts. */
async function aSession(who: Merchant, given: Partial<PlayedSession> = {}) {
  const session: PlayedSession = {
    merchantId: who.id,
    reference: randomId("pay"),
    account_number: given.account_number ?? (await collectionAccount(who, 2)),
    amount: 250_073n,
    amount_missing: 250_073n,
    is_open: true,
    ...given,
  };
  payments.sessions.push(session);
  return session;
}

describe("by amount", () => {
  test("the newest open session of exactly that amount is paid, on its own account", async () => {
    const acme = merchant();
    const session = await aSession(acme);
    await aSession(acme, { amount: 250_074n });
    const result = await pay(acme, { outcome: "paid", amount: 2500.73 });
    expect(result).toMatchObject({
      outcome: "paid",
      credited: true,
      amount: 2500.73,
      account_number: session.account_number,
      mode: "test",
    });
    expect(result.message).toContain("webhook was queued");
    const [fact, ...more] = factsOf(acme);
    expect(more).toEqual([]);
    expect(fact).toMatchObject({ amount: 250_073n, customer: null, payer: { name: "Test Payer" }, fundedBy: "bank" });
    expect(result.reference).toBe(referenceOf(fact?.intakeId ?? ""));
  });

  test("without such a session the money is paid into the merchant's first account, issued on first use", async () => {
    const acme = merchant();
    await aSession(acme);
    const result = await pay(acme, { outcome: "paid", amount: 100, payer_name: "Chidi Eze" });
    expect(result).toMatchObject({ credited: true, amount: 100, account_number: await collectionAccount(acme, 1) });
    expect(factsOf(acme)).toMatchObject([{ customer: null, payer: { name: "Chidi Eze" } }]);
  });

  test.each([
    ["underpaid", undefined, 2250.66],
    ["overpaid", undefined, 2750.8],
    ["underpaid", 1, 1],
    ["overpaid", 3000, 3000],
    ["paid", 2500.72, 2500.72],
  ] as const)("%s with amount_sent %s sends %s", async (outcome, amount_sent, sent) => {
    const acme = merchant();
    const session = await aSession(acme);
    const result = await pay(acme, { outcome, amount: 2500.73, amount_sent });
    expect(result).toMatchObject({ credited: true, amount: sent, account_number: session.account_number });
  });

  test("expired closes the session of that amount and credits nothing", async () => {
    const acme = merchant();
    const session = await aSession(acme);
    const result = await pay(acme, { outcome: "expired", amount: 2500.73 });
    expect(result).toMatchObject({
      credited: false,
      reference: session.reference,
      amount: 2500.73,
      account_number: session.account_number,
    });
    expect(session.is_open).toBe(false);
    const fresh = await pay(acme, { outcome: "expired", amount: 2500.73 });
    expect(fresh).toMatchObject({ credited: false, account_number: await collectionAccount(acme, 1) });
    expect(fresh.reference).not.toBe(session.reference);
    expect(factsOf(acme)).toEqual([]);
  });
});

describe("by payment_reference", () => {
  test("the session gets its missing amount on its own account, or its full amount once it is closed", async () => {
    const acme = merchant();
    const session = await aSession(acme, { amount_missing: 100n });
    const result = await pay(acme, { outcome: "paid", payment_reference: session.reference });
    expect(result).toMatchObject({ credited: true, amount: 1, account_number: session.account_number });
    session.is_open = false;
    const late = await pay(acme, { outcome: "paid", payment_reference: session.reference });
    expect(late).toMatchObject({ credited: true, amount: 2500.73 });
  });

  test("a session on a customer's own account is paid there, unless the account is retired", async () => {
    const acme = merchant();
    const customer = { merchant: acme, customer_reference: "cust_42" };
    const { account } = await world.others.request(issueCustomerAccount, { ...customer, customer_name: "Ada Obi" });
    const session = await aSession(acme, { account_number: account.account_number });
    const paid = () => pay(acme, { outcome: "paid", payment_reference: session.reference });
    expect((await paid()).account_number).toBe(account.account_number);
    expect(factsOf(acme)).toMatchObject([{ customer: { reference: "cust_42" } }]);
    await world.others.request(retireCustomerAccount, customer);
    expect((await failure(paid())).code).toBe("account_retired");
    expect(factsOf(acme)).toHaveLength(1);
  });

  test("expired closes it, and reports if it was already closed", async () => {
    const acme = merchant();
    const session = await aSession(acme);
    const expire = () => pay(acme, { outcome: "expired", payment_reference: session.reference });
    const result = await expire();
    expect(result).toMatchObject({ credited: false, reference: session.reference, amount: 2500.73 });
    expect(result.message).toContain("session expired");
    expect((await expire()).message).toContain("not open any more");
    expect(factsOf(acme)).toEqual([]);
  });

  test("an unknown reference and another merchant's are not found", async () => {
    const foreign = await aSession(merchant());
    for (const payment_reference of ["pay_unknown", "", foreign.reference])
      expect((await failure(pay(merchant(), { outcome: "paid", payment_reference }))).code).toBe("not_found");
  });
});

describe("refusals", () => {
  test.each([
    [{ outcome: "paid" }, ["amount", "payment_reference"]],
    [{ outcome: "paid", amount: 1, payment_reference: "pay_1" }, ["amount", "payment_reference"]],
    [{ outcome: "expired", amount: 1, amount_sent: 1 }, ["amount_sent"]],
    [{ outcome: "underpaid", amount: 0.01 }, ["amount"]],
    [{ outcome: "overpaid", amount: 9_999_999_999_999.99 }, ["amount"]],
    [{ outcome: "paid", amount: 9_999_999_999_999.99 }, ["amount"]],
    [{ outcome: "paid", amount: 1, amount_sent: 10_000_000_000.01 }, ["amount_sent"]],
    [{ outcome: "paid", amount: 1.005 }, ["amount"]],
    [{ outcome: "paid", amount: 1, amount_sent: 0 }, ["amount_sent"]],
  ] as const)("%j names its fields, sends nothing and makes no account", async (body, params) => {
    const acme = merchant();
    const refused = await failure(pay(acme, body));
    expect(refused.code).toBe("validation_failed");
    expect(refused.errors?.map(({ param }) => param)).toEqual(params);
    expect(factsOf(acme)).toEqual([]);
    expect(await accountsOf(acme)).toEqual([]);
  });

  test("live mode is refused, and no account is created", async () => {
    const acme = { ...merchant(), mode: "live" as const };
    expect((await failure(world.others.request(sandboxPay, { merchant: acme, outcome: "paid", amount: 1 }))).code).toBe(
      "test_key_required",
    );
    expect(await accountsOf(acme)).toEqual([]);
  });
});
