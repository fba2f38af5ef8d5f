import { nuban, TEST_BANK } from "@collect/bank";
import { until } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandsOf, type System, startSystem } from "./system.ts";

let system: System;
beforeAll(async () => {
  system = await startSystem(["gateway", "accounts", "ledger", "payments", "webhooks", "checkout"]);
});
afterAll(() => system.stop());

const ACCOUNT = { bank_code: TEST_BANK.code, account_number: nuban({ bankCode: TEST_BANK.code, serial: "000000701" }) };
const { run, json } = commandsOf(() => system);
const call = async (key: string, method: string, path: string, body?: object) => {
  const response = await fetch(`${system.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: body ? JSON.stringify(body) : null,
  });
  return { status: response.status, body: await response.json() };
};
const aMerchant = async (): Promise<{ id: string; key: string }> => {
  const { merchant_id, keys } = await json("merchant", "create", "--name", "Ada Stores");
  return { id: merchant_id, key: keys.sk_test };
};

test("settlement run moves collected money, reports what it covered, and reports nothing to settle the second time", async () => {
  const { id, key } = await aMerchant();
  const args = ["settlement", "run", "--merchant", id, "--mode", "test"];
  expect(await json(...args)).toEqual({ settlement: null });
  await call(key, "POST", "/sandbox/pay", { outcome: "paid", amount: 200 });
  expect(await json(...args)).toMatchObject({
    settlement: { merchant_id: id, mode: "test", amount: 198, currency: "NGN", from_version: 0, to_version: 1 },
  });
  expect((await call(key, "GET", "/balance")).body).toMatchObject({ collected: 0, settled: 198 });
  expect((await run(...args)).stdout).toBe("There was nothing to settle.\n");
  const { modes } = await json("books");
  expect(modes.find(({ mode }: { mode: string }) => mode === "test")).toEqual({
    ...{ mode: "test", bank: 200, bank_charges: 0, own_funds: 0, fees: 2, suspense: 0 },
  });
  const books = "test: ₦200.00 at the bank, ₦0.00 kept by banks, ₦0.00 of own funds, ₦2.00 of fees";
  expect((await run("books")).stdout).toContain(books);
  const unknown = await run("settlement", "run", "--merchant", "mer_unknown", "--mode", "test");
  expect([unknown.code, unknown.stderr]).toEqual([1, "not_found: There is no such merchant.\n"]);
});

test("settlement schedule sets when a merchant settles, and refuses an invalid time", async () => {
  const { id } = await aMerchant();
  const schedule = (days: string, at: string) =>
    run("settlement", "schedule", "--merchant", id, "--delay-days", days, "--at", at, "--json");
  const set = await schedule("2", "07:30");
  expect(JSON.parse(set.stdout)).toEqual({ merchant_id: id, delay_days: 2, at: "07:30" });
  for (const wrong of [await schedule("0", "07:30"), await schedule("2", "25:00"), await schedule("two", "07:30")])
    expect([wrong.code, wrong.stdout]).toEqual([1, ""]);
});

test("payouts unanswered, end, repeat and returned name the payout, and say what is missing", async () => {
  expect((await run("payouts", "unanswered")).stdout).toBe("No payout has waited for the bank too long.\n");
  const { id } = await aMerchant();
  const about = ["trf_1", "--merchant", id, "--reason", "The bank's mail of today"];
  expect((await run("payouts", "end", ...about)).stderr).toMatch(/^Give --paid with the bank's reference, or --failed/);
  expect((await run("payouts", "end", ...about, "--failed", "--paid", "FT1")).code).toBe(1);
  for (const act of [
    ["end", ...about, "--failed"],
    ["repeat", ...about],
    ["returned", ...about, "--line", "1764000000000017"],
  ])
    expect((await run("payouts", ...act)).stderr).toBe("not_found: This merchant has no such live transfer.\n");
});

test("merchant payout-limits bounds payouts at once, keeps what it is not given, and shows what applies", async () => {
  const { id, key } = await aMerchant();
  const set = await json("merchant", "payout-limits", id, "--per-transfer", "50", "--approval-above", "40");
  expect(set.operator).toEqual({ transfer_max: 50, day_max: 1_000_000_000, approval_above: 40 });
  await call(key, "POST", "/sandbox/pay", { outcome: "paid", amount: 200 });
  await json("settlement", "run", "--merchant", id, "--mode", "test");
  const pay = (amount: number) => call(key, "POST", "/transfers", { amount, ...ACCOUNT, reference: `p${amount}` });
  expect((await pay(50.01)).body).toMatchObject({ code: "payout_limit_exceeded", status: 422 });
  expect((await pay(10)).status).toBe(201);
  await json("merchant", "payout-limits", id, "--per-transfer", "none");
  expect((await pay(50.01)).status).toBe(201);
  const { stdout } = await run("merchant", "payout-limits", id);
  expect(stdout).toContain("applies   no limit a transfer, ₦1,000,000,000.00 a day, approval above ₦40.00");
  expect(stdout).toContain("ordered today: ₦0.00 live, ₦60.01 test");
  const wrong = await run("merchant", "payout-limits", id, "--per-day", "lots");
  expect(wrong.code).toBe(1);
});

test("merchant limit and merchant fee take effect immediately", async () => {
  const { id, key } = await aMerchant();
  expect(await json("merchant", "limit", id, "--amount", "1000.50")).toEqual({ merchant_id: id, amount: 1000.5 });
  expect((await call(key, "POST", "/payments", { amount: 1000.51 })).body).toMatchObject({ code: "amount_over_limit" });
  expect((await call(key, "POST", "/payments", { amount: 1000.5 })).status).toBe(201);
  expect(await json("merchant", "fee", id, "--basis-points", "250")).toEqual({ merchant_id: id, basis_points: 250 });
  await call(key, "POST", "/sandbox/pay", { outcome: "paid", amount: 100 });
  expect((await call(key, "GET", "/balance")).body).toMatchObject({ collected: 97.5 });
});

test("partner health prints a line for what the bank reports, issues, pays and names, and the same figures as JSON", async () => {
  const { partners } = await json("partner", "health");
  expect(partners).toHaveLength(1);
  const [{ bank, ...health }] = partners;
  expect(Object.keys(health)).toEqual(["transfers", "accounts", "payouts", "name_enquiries"]);
  for (const { state } of Object.values<{ state: string }>(health)) expect(state).toBe("quiet");
  const { code, stdout } = await run("partner", "health");
  expect([code, stdout.split("\n")[0]]).toEqual([0, `${bank.name} (${bank.code})`]);
  for (const line of [
    "incoming        quiet",
    "accounts        quiet",
    "payouts         quiet",
    "name enquiries  quiet",
  ])
    expect(stdout).toContain(line);
});

test("audit reports success once every part is proven", async () => {
  const proof = await until("every part is proven", async () => {
    const { code, stdout } = await run("audit", "--json");
    return code === 0 && JSON.parse(stdout);
  });
  expect(proof).toMatchObject({
    holds: true,
    parts: expect.arrayContaining(
      [
        ["accounts", "recent money in"],
        ["accounts", "history"],
        ["accounts", "reversals"],
        ["accounts", "unfinished money in"],
        ["ledger", "sums"],
        ["ledger", "recent postings"],
        ["ledger", "all postings"],
        ["payments", "sessions"],
        ["payments", "money out"],
        ["payments", "money out, from the ledger"],
        ["webhooks", "dead letters"],
        ["checkout", "dead letters"],
      ].map(([service, name]) =>
        expect.objectContaining({ service, name, holds: true, age_s: expect.any(Number), differences: [] }),
      ),
    ),
  });
  expect((await run("audit")).stdout).toMatch(/^All parts hold\.\n/);
});

test("recovery show reports whether each service was restored, and recovery start starts a recovery by hand", async () => {
  const current = await until("every service is confirmed by a peer", async () => {
    const { code, stdout } = await run("recovery", "show", "--json");
    return code === 0 && JSON.parse(stdout);
  });
  expect(current.services.map(({ service }: { service: string }) => service)).toEqual([
    "accounts",
    "ledger",
    "payments",
    "webhooks",
  ]);
  const restoredTo = new Date().toISOString();
  const started = await json("recovery", "start", "--service", "ledger", "--restored-to", restoredTo);
  expect(started).toMatchObject({ service: "ledger", recovery: { finished_at: null } });
  const output = await until("it has caught up", async () => {
    const { code, stdout } = await run("recovery", "show");
    return code === 0 && stdout.includes("ledger    restored to") && stdout;
  });
  expect(output).toContain("caught up");
  const wrong = await run("recovery", "start", "--service", "gateway", "--restored-to", restoredTo);
  expect([wrong.code, wrong.stdout]).toEqual([1, ""]);
});

test("erase counts first, refuses an account that is not retired, then erases a customer and a payer and lists both", async () => {
  const { id, key } = await aMerchant();
  const customer = { customer_reference: "cust_1", customer_name: "Ngozi Qwuzam" };
  await call(key, "POST", "/customer_accounts", customer);
  const { body } = await call(key, "POST", "/customer_accounts/cust_1/simulate_payment", {
    outcome: "paid",
    amount: 50,
  });
  const reference = String(Object(body).reference);
  const why = ["--mode", "test", "--reason", "request 17"];
  const erase = ["erase", "customer", id, "cust_1", ...why];
  const early = await run(...erase);
  expect([early.code, early.stdout, early.stderr]).toEqual([1, "", expect.stringMatching(/^account_active: Retire /)]);
  await json("account", "retire", id, "cust_1", "--mode", "test");
  const found = { accounts: 1, transfers: 1, sessions: 0, events: 1, open_sessions: 0 };
  expect((await json(...erase, "--dry-run")).found).toMatchObject(found);
  expect(await json("erase", "list")).toEqual({ erasures: [] });

  const erased = await run(...erase);
  expect([erased.code, erased.stdout]).toEqual([
    0,
    expect.stringMatching(/^ers_\w+ is finished\. Erased: 1 customer accounts, 1 transfers and collections, /),
  ]);
  expect((await call(key, "GET", "/customer_accounts/cust_1")).body).toMatchObject({ customer_name: "Erased" });
  const payer = await json("erase", "payer", id, reference, ...why);
  expect(payer.found).toMatchObject({ accounts: 0, transfers: 1 });
  const [newest, first] = (await json("erase", "list")).erasures;
  expect([newest, first]).toMatchObject([
    { id: payer.id, kind: "payer", reference, finished_at: expect.any(String) },
    { kind: "customer", reference: "cust_1", finished_at: expect.any(String) },
  ]);
  expect(await json("erase", "again")).toEqual({ repeated: 2 });
  await until("both are finished again", async () => (await run("erase", "list")).code === 0);
  const span = ["--from", "2020-01-01T00:00:00Z", "--to", "2100-01-01T00:00:00Z"];
  const all = await run("audit-log", "export", "--all-merchants", ...span);
  const lines = all.stdout.split("\n").filter((text) => /"(customer|payer)\.erased"/.test(text));
  expect(lines.map((text) => JSON.parse(text))).toContainEqual(
    expect.objectContaining({ chain: id, action: "payer.erased", detail: expect.stringContaining(reference) }),
  );
  expect(lines.some((text) => text.includes("cust_1"))).toBe(true);
  const both = await run("audit-log", "export", "--all-merchants", "--merchant", id, ...span);
  expect([both.code, both.stdout]).toEqual([1, ""]);
  const unknown = await run("erase", "payer", id, "col_unknown", ...why);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringMatching(/^not_found: /)]);
});
