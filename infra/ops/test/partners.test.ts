import { afterAll, beforeAll, expect, test } from "vitest";
import { commandsOf, type System, startSystem } from "./system.ts";

let system: System;
beforeAll(async () => {
  system = await startSystem(["gateway", "accounts", "ledger", "payments", "webhooks"]);
});
afterAll(() => system.stop());

const { run, json } = commandsOf(() => system);
const aMerchant = async (): Promise<{ id: string }> => ({
  id: (await json("merchant", "create", "--name", "Ada Stores")).merchant_id,
});

test("partner use decides where a merchant's next accounts come from, on record, and partner check tries the credentials", async () => {
  const { id } = await aMerchant();
  const use = (partner: string) => run("partner", "use", partner, "--merchant", id);
  expect((await use("058")).stdout).toBe(`new live accounts of ${id} come from 058\n`);
  expect(await json("partners", "list")).toMatchObject({
    partners: [{ id: "058", is_default: true, door: "/bank/transfers", pool: null }],
    choices: [{ merchant_id: id, partner: "058" }],
    has_more_choices: false,
  });
  expect((await use("unknown")).stderr).toMatch(/^validation_failed: There is no such partner. Configured are: 058./);
  expect((await use("default")).code).toBe(0);
  expect((await json("partner", "list")).choices).toEqual([]);
  const log = await run(
    "audit-log",
    "export",
    "--merchant",
    id,
    "--from",
    "2026-01-01T00:00:00Z",
    "--to",
    "2100-01-01T00:00:00Z",
  );
  // Each order, and its outcome.
  expect(log.stdout.match(/"action":"partner.chosen"/g)).toHaveLength(6);
  const unknown = await run("partner", "use", "058", "--merchant", "mer_unknown");
  expect(unknown.stderr).toBe("not_found: There is no such merchant.\n");
  // Nothing listens at the bank's address.
  const { code, stdout } = await run("partner", "check");
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^058 {2}signature: failed\./)]);
  expect((await run("partner", "settle", "pool-1", "--none")).stderr).toMatch(/^not_found: /);
  expect((await run("partner", "settle", "pool-1")).stderr).toMatch(/^Give --account-number, or --none/);
});

test("payouts partner decides which partner sends a merchant's payouts, on record, and partner list shows it with its reason", async () => {
  const { id } = await aMerchant();
  const choose = (partner: string) =>
    run("payouts", "partner", partner, "--merchant", id, "--reason", "Their mail of today");
  expect((await choose("058")).stdout).toBe(`live payouts of ${id} are sent by 058\n`);
  const listed = await json("partners", "list");
  expect(listed.payout_choices).toMatchObject([{ merchant_id: id, partner: "058", reason: "Their mail of today" }]);
  expect((await run("partners", "list")).stdout).toMatch(
    new RegExp(`^${id} pays out by 058 since \\S+: Their mail of today$`, "m"),
  );
  expect((await choose("unknown")).stderr).toBe("validation_failed: No such partner pays out. Configured are: 058.\n");
  expect((await choose("default")).stdout).toBe(`live payouts of ${id} are sent by 058\n`);
  expect((await json("partner", "list")).payout_choices).toEqual([]);
  const span = ["--from", "2026-01-01T00:00:00Z", "--to", "2100-01-01T00:00:00Z"];
  const log = await run("audit-log", "export", "--merchant", id, ...span);
  // Each order, and its outcome.
  expect(log.stdout.match(/"action":"payout_partner.chosen"/g)).toHaveLength(6);
  const unknown = await run("payouts", "partner", "058", "--merchant", "mer_unknown", "--reason", "None");
  expect(unknown.stderr).toBe("not_found: There is no such merchant.\n");
  expect((await run("payouts", "partner", "058", "--merchant", id)).code).toBe(1);
});
