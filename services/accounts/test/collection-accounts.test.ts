import { isNuban, type RequestIssuer, TEST_BANK } from "@collect/bank";
import {
  allocateTransfer,
  issueCollectionAccount,
  issueCustomerAccount,
  type Merchant,
  type Mode,
  Problem,
  suspensePosted,
  transferReceived,
} from "@collect/contracts";
import { aMerchant, recordFacts, until } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { playLedger } from "./others.ts";
import { aPartner, aReport, issued, report, useAccounts } from "./world.ts";

const partner = aPartner();
const world = await useAccounts({ partner });
await playLedger(world);
const received = await recordFacts(world.others, transferReceived);

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
  (accountNumber: string): RequestIssuer["issueAccount"] =>
  async ({ accountName }) =>
    issued(accountNumber, accountName);

describe("in test mode", () => {
  test("an account is issued on first use, in the name of the business, and is permanent", async () => {
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

  test("merchants and their customers never share an account", async () => {
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
    "after %s the repeated call sends the bank the same request id",
    async (code) => {
      const acme = merchant("live");
      partner.respond = () => Promise.reject(new Problem(code, "the bank"));
      expect(await issue(acme).catch(codeOf)).toBe(code);
      const accountNumber = code === "provider_timeout" ? "0000000109" : "0000000116";
      partner.respond = answering(accountNumber);
      expect(await issue(acme)).toMatchObject({
        account_number: accountNumber,
        account_name: "Acme Stores",
        bank_name: "Harbour Bank",
      });
      const [first, second] = partner.requests.slice(-2);
      expect(second).toEqual(first);
    },
  );

  test("concurrent calls yield one account under one request id", async () => {
    partner.respond = answering("0000000123");
    const acme = merchant("live");
    const before = partner.requests.length;
    const answers = await Promise.all(Array.from({ length: 20 }, () => issue(acme)));
    expect(new Set(answers.map(({ account_number }) => account_number))).toEqual(new Set(["0000000123"]));
    expect(new Set(partner.requests.slice(before).map(({ requestId }) => requestId)).size).toBe(1);
  });

  test("a number assigned to a customer is refused for a merchant, and vice versa", async () => {
    partner.respond = answering("0000000130");
    await issueToCustomer(merchant("live"));
    expect(await issue(merchant("live")).catch(codeOf)).toBe("provider_error");
    partner.respond = answering("0000000147");
    await issue(merchant("live"));
    expect(await issueToCustomer(merchant("live")).catch(codeOf)).toBe("provider_error");
    expect(await issue(merchant("live")).catch(codeOf)).toBe("provider_error");
  });

  test("one number returned concurrently for customers and merchants gets one owner", async () => {
    partner.respond = answering("0000000154");
    const calls = Array.from({ length: 20 }, (_, n) =>
      n % 2 ? issue(merchant("live")) : issueToCustomer(merchant("live")),
    );
    const outcomes = await Promise.all(calls.map((call) => call.then(() => "issued", codeOf)));
    expect(outcomes.filter((outcome) => outcome === "issued")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "provider_error")).toHaveLength(19);
  });
});

test("money received in it belongs to the merchant, and to no customer", async () => {
  partner.respond = answering("0000000161");
  const acme = merchant("live");
  await issue(acme);
  const transfer = aReport("0000000161");
  expect((await report(world, transfer)).body.status).toBe("accepted");
  const fact = await until("published", () => received.all.find(({ merchant: { id } }) => id === acme.id));
  expect(fact).toMatchObject({ merchant: { id: acme.id, mode: "live" }, customer: null, accountNumber: "0000000161" });
});

test("money for an account that the bank has not opened yet is unallocated", async () => {
  partner.respond = () => Promise.reject(new Problem("provider_timeout", "the bank"));
  await issue(merchant("live")).catch(codeOf);
  expect((await report(world, aReport("0000000178"))).body.status).toBe("unallocated");
});

/** Money received before the bank's response; it is in suspense. */
async function suspended(accountNumber: string): Promise<string> {
  const transfer = aReport(accountNumber);
  expect((await report(world, transfer)).body.status).toBe("unallocated");
  const query = "select intake_id, received_at, completed_at from inbound_transfers where bank_transfer_id = $1";
  const row = async () => (await world.owner.query(query, [transfer.id])).rows[0];
  const { intake_id: intakeId, received_at: postedAt } = await row();
  await world.others.publish(suspensePosted, [
    { intakeId, mode: "live", amount: 250_073n, transactionId: "1", postedAt },
  ]);
  await until("it is in suspense", async () => (await row()).completed_at);
  return intakeId;
}

test("money in suspense is allocated once, to the merchant whose account received it", async () => {
  const intakeId = await suspended("0000000185");
  const [acme, other] = [merchant("live"), merchant("live")];
  const allocate = ({ id }: Merchant, mode: Mode = "live") =>
    world.others.request(allocateTransfer, { intake_id: intakeId, merchant: { id, mode } }).catch(codeOf);
  partner.respond = () => Promise.reject(new Problem("provider_timeout", "the bank"));
  await issue(acme).catch(codeOf);
  expect(await allocate(acme)).toBe("conflict");

  partner.respond = answering("0000000185");
  await issue(acme);
  partner.respond = answering("0000000192");
  await issue(other);
  expect([await allocate(other), await allocate(acme, "test")]).toEqual(["conflict", "conflict"]);
  const outcomes = await Promise.all([allocate(acme), allocate(acme)]);
  expect(outcomes).toEqual(expect.arrayContaining([{ intake_id: intakeId, allocated: true }, "conflict"]));
  const fact = await until("published", () => received.all.find((sent) => sent.intakeId === intakeId));
  expect(fact).toMatchObject({
    merchant: { id: acme.id, mode: "live" },
    customer: null,
    accountNumber: "0000000185",
    fundedBy: "suspense",
  });
});

test("money received in a customer's account is not allocated to the merchant without the customer", async () => {
  const intakeId = await suspended("0000000208");
  partner.respond = answering("0000000208");
  const acme = merchant("live");
  await issueToCustomer(acme);
  const owner = { intake_id: intakeId, merchant: { id: acme.id, mode: "live" as const } };
  expect(await world.others.request(allocateTransfer, owner).catch(codeOf)).toBe("conflict");
  expect(await world.others.request(allocateTransfer, { ...owner, customer_reference: "cust_42" })).toEqual({
    intake_id: intakeId,
    allocated: true,
  });
});
