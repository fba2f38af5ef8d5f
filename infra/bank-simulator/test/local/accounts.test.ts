import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isNuban } from "@collect/bank";
import { describe, expect, test } from "vitest";
import { createAccounts } from "../../src/local/accounts.ts";
import { bank, emptyDirectory, simulator } from "../simulator.ts";

const chidi = { requestId: "req_1", accountName: "Ade Stores / Chidi Okafor" };

describe("the bank issues accounts", () => {
  test("that its partner accepts, one per request id, for repeated and concurrent calls", async () => {
    const partner = (await simulator()).partner();
    const issued = await Promise.all(Array.from({ length: 50 }, () => partner.issueAccount(chidi)));
    expect(new Set(issued.map(({ accountNumber }) => accountNumber)).size).toBe(1);
    expect(isNuban(bank.code, issued[0]?.accountNumber ?? "")).toBe(true);
    const other = await partner.issueAccount({ ...chidi, requestId: "req_2" });
    expect(other.accountNumber).not.toBe(issued[0]?.accountNumber);
  });

  test("that a restart does not change", async () => {
    const dataDirectory = emptyDirectory();
    const before = await simulator({ dataDirectory });
    const { accountNumber } = await before.partner().issueAccount(chidi);
    await before.stop();
    const after = await simulator({ dataDirectory });
    expect((await after.partner().issueAccount(chidi)).accountNumber).toBe(accountNumber);
    const enquiry = await after.call("POST", "/name-enquiry", { bank_code: bank.code, account_number: accountNumber });
    expect(enquiry.body).toMatchObject({ account_name: chidi.accountName });
    expect(readFileSync(join(dataDirectory, "accounts.jsonl"), "utf8").trimEnd().split("\n")).toHaveLength(1);
  });

  test("that losing the directory does not change", async () => {
    const [one, other] = [await simulator(), await simulator()];
    expect(await one.partner().issueAccount(chidi)).toEqual(await other.partner().issueAccount(chidi));
  });

  test("after a crash during a write", async () => {
    const dataDirectory = emptyDirectory();
    const before = await simulator({ dataDirectory });
    const { accountNumber } = await before.partner().issueAccount(chidi);
    await before.stop();
    appendFileSync(join(dataDirectory, "accounts.jsonl"), '{"request_id":"req_2","account_na');
    const partner = (await simulator({ dataDirectory })).partner();
    const funke = await partner.issueAccount({ requestId: "req_2", accountName: "Funke" });
    const third = (await simulator({ dataDirectory })).partner();
    expect((await third.issueAccount(chidi)).accountNumber).toBe(accountNumber);
    expect(await third.issueAccount({ requestId: "req_2", accountName: "Funke" })).toEqual(funke);
  });

  test("and skips a number that is taken", () => {
    const request = { request_id: "req_1", account_name: "Chidi" };
    const journal = { entries: [], append: () => {} };
    const { account_number: wanted } = createAccounts({ bank, journal }).issue(request);
    const taken = { request_id: "req_other", account_name: "Another Name", account_number: wanted };
    const { account_number } = createAccounts({ bank, journal: { ...journal, entries: [taken] } }).issue(request);
    expect(account_number).not.toBe(wanted);
    expect(isNuban(bank.code, account_number)).toBe(true);
  });

  test("and refuses a known request id with another name", async () => {
    const { call } = await simulator();
    expect((await call("POST", "/accounts", { request_id: "r", account_name: "A" })).status).toBe(200);
    expect(await call("POST", "/accounts", { request_id: "r", account_name: "B" })).toMatchObject({
      status: 409,
      body: { code: "conflict" },
    });
  });
});

describe("a name enquiry", () => {
  test.each([
    ["an account that was never issued", bank.code, "0000000000"],
    ["a wrong check digit at another bank", "011", "0000014578"],
  ])("for %s finds no holder", async (_case, bank_code, account_number) => {
    const { call } = await simulator();
    expect(await call("POST", "/name-enquiry", { bank_code, account_number })).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
  });

  test("at another bank finds the same name each time", async () => {
    const { call } = await simulator();
    const enquire = () => call("POST", "/name-enquiry", { bank_code: "011", account_number: "0000014579" });
    expect(await enquire()).toMatchObject({
      status: 200,
      body: { bank_code: "011", account_name: expect.stringMatching(/^[A-Z]+ [A-Z]+$/) },
    });
    expect(await enquire()).toEqual(await enquire());
  });

  test("with an invalid bank code is refused", async () => {
    const { call } = await simulator();
    expect((await call("POST", "/name-enquiry", { bank_code: "x", account_number: "0000014579" })).status).toBe(400);
  });
});

describe("the partner API", () => {
  const calls: [string, string, object | undefined][] = [
    ["POST", "/accounts", { request_id: "r", account_name: "A" }],
    ["POST", "/name-enquiry", { bank_code: "011", account_number: "0000014579" }],
    ["POST", "/payouts", { id: "p", bank_code: "011", account_number: "0000014579", amount: 1 }],
    ["GET", "/payouts/p", undefined],
  ];
  test.each(calls)("%s %s without a valid signature is refused without side effects", async (method, path, body) => {
    const { call } = await simulator();
    expect(await call(method, path, body, { "x-bank-signature": "0".repeat(128) })).toMatchObject({
      status: 401,
      body: { code: "invalid_signature" },
    });
    expect(await call("GET", "/payouts/p")).toMatchObject({ status: 404 });
  });

  test("refuses a body with missing fields", async () => {
    const { call } = await simulator();
    expect(await call("POST", "/accounts", { request_id: "r" })).toMatchObject({
      status: 400,
      body: { code: "validation_failed" },
    });
  });
});
