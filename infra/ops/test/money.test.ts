import { until } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ops, type System, startSystem } from "./system.ts";

let system: System;
beforeAll(async () => {
  system = await startSystem(["gateway", "accounts", "ledger", "payments", "webhooks", "checkout"]);
});
afterAll(() => system.stop());

const run = (...args: string[]) => ops(system.natsUrl, ...args);
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
};
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

test("merchant limit and merchant fee take effect immediately", async () => {
  const { id, key } = await aMerchant();
  expect(await json("merchant", "limit", id, "--amount", "1000.50")).toEqual({ merchant_id: id, amount: 1000.5 });
  expect((await call(key, "POST", "/payments", { amount: 1000.51 })).body).toMatchObject({ code: "amount_over_limit" });
  expect((await call(key, "POST", "/payments", { amount: 1000.5 })).status).toBe(201);
  expect(await json("merchant", "fee", id, "--basis-points", "250")).toEqual({ merchant_id: id, basis_points: 250 });
  await call(key, "POST", "/sandbox/pay", { outcome: "paid", amount: 100 });
  expect((await call(key, "GET", "/balance")).body).toMatchObject({ collected: 97.5 });
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
