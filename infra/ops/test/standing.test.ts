import { afterAll, beforeAll, expect, test } from "vitest";
import { commandsOf, refusalOf, type System, startSystem } from "./system.ts";

let system: System;
beforeAll(async () => {
  system = await startSystem(["gateway", "payments"]);
});
afterAll(() => system.stop());

const { run } = commandsOf(() => system);
/** Without webhooks a merchant is created, and the command fails. */
const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).stdout);
/** Without the webhooks service: its id is printed nevertheless. */
const aMerchant = async (name: string): Promise<string> =>
  (await json("merchant", "create", "--name", name)).merchant_id;

test("merchant suspend and resume are printed, can be repeated, and need a reason", async () => {
  const id = await aMerchant("Bimpe Foods");
  expect((await run("merchant", "suspend", id)).code).toBe(1);
  const first = await json("merchant", "suspend", id, "--reason", "Chargebacks");
  expect(first).toEqual({
    merchant_id: id,
    standing: "suspended",
    verified: false,
    suspension: { reason: "Chargebacks", since: expect.any(String) },
    payouts_in_flight: 0,
  });
  const again = await run("merchant", "suspend", id, "--reason", "Other");
  expect(again.stdout).toBe(`${id} is suspended since ${first.suspension.since}: Chargebacks\n`);
  expect((await run("merchant", "show", id)).stdout).toContain(`suspended ${first.suspension.since}: Chargebacks`);
  const resumed = await run("merchant", "resume", id, "--reason", "Resolved");
  expect(resumed.stdout).toBe(`${id} is draft; 0 held payouts are due now.\n`);
  expect(refusalOf(await run("merchant", "suspend", "mer_nobody", "--reason", "Why"))).toEqual({
    code: 1,
    stdout: "",
    stderr: "not_found: There is no such merchant.",
  });
});

test("payouts stop, show and start print the same state", async () => {
  expect((await run("payouts", "show")).stdout).toBe("Payouts are sent.\n");
  const stopped = await json("payouts", "stop", "--reason", "The bank's file differs");
  expect(stopped).toEqual({
    stopped: { reason: "The bank's file differs", since: expect.any(String) },
    in_flight: 0,
    held: [],
  });
  expect((await run("payouts", "show")).stdout).toBe(
    `Payouts are stopped since ${stopped.stopped.since}: The bank's file differs\n`,
  );
  expect((await run("payouts", "start", "--reason", "Explained")).stdout).toBe("Payouts are sent.\n");
});

test("payouts find needs an id, and says that there is no such payout", async () => {
  expect((await run("payouts", "find")).code).toBe(1);
  const none = { code: 1, stdout: "", stderr: "not_found: There is no such live payout." };
  expect(refusalOf(await run("payouts", "find", "trf_1", "--json"))).toEqual(none);
});

test("merchant verify refuses a name that imitates a bank's, unless it is said to be meant", async () => {
  const id = await aMerchant("Keyst\u043ene Bank");
  expect(refusalOf(await run("merchant", "verify", id))).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^conflict: The name imitates: Keystone Bank\./),
  });
  const shown = await run("merchant", "verification", "show", "--merchant", id);
  expect(shown.stdout).toMatch(/imitates +Keystone Bank/);
  const listed = await run("merchant", "verification", "list", "--state", "draft");
  expect(listed.stdout).toBe("No verification is draft.\n");
  await run("merchant", "verify", id, "--despite-name");
  expect(await json("merchant", "show", id)).toMatchObject({ verified_at: expect.any(String) });
});
