import { type AccountIssuer, isNuban, TEST_BANK } from "@collect/bank";
import {
  issueCollectionAccount,
  issueCustomerAccount,
  type Merchant,
  type Mode,
  Problem,
  transferReceived,
} from "@collect/contracts";
import { aMerchant, type FactLog, recordFacts, until } from "@collect/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AccountsWorld, aReport, openAccounts, report } from "./world.ts";

let world: AccountsWorld;
let received: FactLog<typeof transferReceived>;
/** The partner is an outsider; what it does next is set by each test. */
let partner: AccountIssuer["issueAccount"] = () => Promise.reject(new Error("not expected"));
const asked: { requestId: string; accountName: string }[] = [];

beforeAll(async () => {
  const issueAccount: AccountIssuer["issueAccount"] = (request) => {
    asked.push(request);
    return partner(request);
  };
  world = await openAccounts({ partner: { code: "729", name: "Harbour Bank", issueAccount } });
  received = await recordFacts(world.others, transferReceived);
});
afterAll(async () => {
  await world.stop();
  await world.close();
});

const merchant = (mode: Mode = "test"): Merchant => ({ ...aMerchant(mode), name: "Acme Stores" });
const issue = (who: Merchant, position = 1) =>
  world.others.request(issueCollectionAccount, { merchant: who, position });
const issueToCustomer = (who: Merchant) =>
  world.others.request(issueCustomerAccount, {
    merchant: who,
    customer_reference: "cust_42",
    customer_name: "Ada Obi",
  });
const codeOf = (failure: unknown) => (failure instanceof Problem ? failure.code : String(failure));
const answering =
  (accountNumber: string): AccountIssuer["issueAccount"] =>
  async ({ accountName }) => ({ accountNumber, accountName });

describe("in test mode", () => {
  test("an account is made on first need, in the name of the business, and stays", async () => {
    const acme = merchant();
    const account = await issue(acme);
    expect(account).toEqual({
      position: 1,
      account_number: expect.any(String),
      account_name: "Acme Stores",
      bank_name: "Test Bank",
    });
    expect(isNuban(TEST_BANK.code, account.account_number)).toBe(true);
    expect(await issue({ ...acme, name: "Acme Renamed" })).toEqual(account);
  });

  test("200 concurrent calls for 4 positions yield 4 accounts", async () => {
    const acme = merchant();
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => issue(acme, 1 + (n % 4))));
    expect(new Set(answers.map(({ account_number }) => account_number)).size).toBe(4);
    expect(new Set(answers.map(({ position, account_number }) => `${position} ${account_number}`)).size).toBe(4);
  });

  test("merchants and their customers never share one", async () => {
    const acme = merchant();
    const numbers = [
      (await issue(acme)).account_number,
      (await issue(merchant())).account_number,
      (await issueToCustomer(acme)).account.account_number,
    ];
    expect(new Set(numbers).size).toBe(3);
  });

  test.each([0, -1, 1.5, 10_001])("the position %s is refused", async (position) => {
    expect(await issue(merchant(), position).catch(codeOf)).toBe("validation_failed");
  });
});

describe("in live mode", () => {
  test.each(["provider_timeout", "provider_error"] as const)(
    "after %s the repeated call asks the bank with the same request id",
    async (code) => {
      const acme = merchant("live");
      partner = () => Promise.reject(new Problem(code, "the bank"));
      expect(await issue(acme).catch(codeOf)).toBe(code);
      const accountNumber = code === "provider_timeout" ? "0000000109" : "0000000116";
      partner = answering(accountNumber);
      expect(await issue(acme)).toMatchObject({
        account_number: accountNumber,
        account_name: "Acme Stores",
        bank_name: "Harbour Bank",
      });
      const [first, second] = asked.slice(-2);
      expect(second).toEqual(first);
    },
  );

  test("concurrent calls yield one account under one request id", async () => {
    partner = answering("0000000123");
    const acme = merchant("live");
    const before = asked.length;
    const answers = await Promise.all(Array.from({ length: 20 }, () => issue(acme)));
    expect(new Set(answers.map(({ account_number }) => account_number))).toEqual(new Set(["0000000123"]));
    expect(new Set(asked.slice(before).map(({ requestId }) => requestId)).size).toBe(1);
  });

  test("a number that a customer has is refused, and a merchant's own is refused to a customer", async () => {
    partner = answering("0000000130");
    await issueToCustomer(merchant("live"));
    expect(await issue(merchant("live")).catch(codeOf)).toBe("provider_error");
    partner = answering("0000000147");
    await issue(merchant("live"));
    expect(await issueToCustomer(merchant("live")).catch(codeOf)).toBe("provider_error");
    expect(await issue(merchant("live")).catch(codeOf)).toBe("provider_error");
  });

  test("one number told at once to customers and merchants gets one owner", async () => {
    partner = answering("0000000154");
    const calls = Array.from({ length: 20 }, (_, n) =>
      n % 2 ? issue(merchant("live")) : issueToCustomer(merchant("live")),
    );
    const outcomes = await Promise.all(calls.map((call) => call.then(() => "issued", codeOf)));
    expect(outcomes.filter((outcome) => outcome === "issued")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "provider_error")).toHaveLength(19);
  });
});

test("money that comes into it belongs to the merchant, and to no customer", async () => {
  partner = answering("0000000161");
  const acme = merchant("live");
  await issue(acme);
  const transfer = aReport("0000000161");
  expect((await report(world, transfer)).body.status).toBe("accepted");
  const fact = await until("sent on", () => received.all.find(({ merchant: { id } }) => id === acme.id));
  expect(fact).toMatchObject({ merchant: { id: acme.id, mode: "live" }, customer: null, accountNumber: "0000000161" });
});

test("money for an account that the bank has not opened yet belongs to nobody", async () => {
  partner = () => Promise.reject(new Problem("provider_timeout", "the bank"));
  await issue(merchant("live")).catch(codeOf);
  expect((await report(world, aReport("0000000178"))).body.status).toBe("unallocated");
});
