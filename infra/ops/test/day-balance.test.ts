import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createSeed, publicKeyOf } from "@collect/bus";
import { mt940, opsAs, type Statement, until } from "@collect/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { lagosDay } from "./bank.ts";
import { commandsOf, type System, startSystem } from "./system.ts";

let system: System;
beforeAll(async () => {
  system = await startSystem(["gateway", "accounts", "ledger", "payments", "statements"]);
});
afterAll(() => system.stop());

const ACCOUNT = "1234567890";
const { run } = commandsOf(() => system);

test("what stood in an account, and a charge that came back, are booked by two days, and then the ledger has what is at the bank", async () => {
  const file = join(await mkdtemp(join(tmpdir(), "collect-statements-")), "statement.sta");
  onTestFinished(() => rm(dirname(file), { recursive: true, force: true }));
  const [first, second] = [lagosDay(2), lagosDay(1)];
  const statement = (given: Pick<Statement, "number" | "day" | "opening" | "lines">) =>
    mt940({ account: ACCOUNT, ...given });
  await run("statements", "account", ACCOUNT, "--bank", "058", "--charge-words", "FEE");
  const days = [
    statement({ number: 1, day: first, opening: 500_000n, lines: [{ amount: -5_000n, narration: "FEE" }] }),
    statement({ number: 2, day: second, opening: 495_000n, lines: [{ amount: 2_000n, narration: "REVERSAL" }] }),
  ];
  await writeFile(file, days.join("\n"));
  expect((await run("statements", "import", file)).stderr).toBe("");
  const seed = createSeed();
  await run("operator", "add", "bola", "--public-key", publicKeyOf(seed));

  const show = async (day: string) => (await run("day", "show", day)).stdout;
  const sheet = async (day: string) => JSON.parse((await run("day", "show", day, "--json")).stdout);
  const explain = (day: string, item: string, naira: string, ...said: string[]) =>
    run("day", "explain", day, item, "--amount", naira, "--reason", "as the bank says", ...said);
  const close = async (day: string) => {
    // The ledger proves what was posted by the end of the day within seconds of its start.
    const { digest } = await until("it can be closed", async () => {
      const read = await sheet(day);
      return read.blocked_by === null && read;
    });
    expect((await opsAs(seed, system.natsUrl, "day", "close", day, "--seen", digest)).stderr).toBe("");
  };

  expect(await show(first)).toContain("balance: 4,950.00 at the banks, -50.00 in the ledger once the day is booked");
  expect((await explain(first, `opening:${ACCOUNT}`, "5000.00", "--own")).stderr).toBe("");
  expect((await explain(first, "charge", "-50.00")).stderr).toBe("");
  expect(await show(first)).toContain("4,950.00 in the ledger once the day is booked: 0.00 more at the banks");
  await close(first);
  const line = (await sheet(second)).items[0].key;
  expect((await explain(second, line, "20.00", "--refund", "--own")).stderr).toContain("say one of them");
  expect((await explain(second, line, "20.00", "--refund")).stderr).toBe("");
  expect(await show(second)).toContain("[is booked as a charge that was given back]");
  await close(second);
  await until(
    "both are booked",
    async () =>
      /own funds of 1234567890: 5,000\.00, booked/.test(await show(first)) &&
      /charges of 1234567890: -20\.00, booked/.test(await show(second)),
  );
  expect((await run("books")).stdout).toMatch(/₦4,970\.00/);
});
