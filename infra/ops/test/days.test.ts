import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createSeed, publicKeyOf } from "@collect/bus";
import { until } from "@collect/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { lagosDay, mt940, reportToDoor } from "./bank.ts";
import { ops, opsAs, type System, startSystem } from "./system.ts";

let system: System;
beforeAll(async () => {
  system = await startSystem(["gateway", "accounts", "ledger", "payments", "statements"]);
});
afterAll(() => system.stop());

const run = (...args: string[]) => ops(system.natsUrl, ...args);
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
};

test("a day is closed against the bank's statement: what is on it is with us, and what was never notified is credited once", async () => {
  const file = join(await mkdtemp(join(tmpdir(), "collect-statements-")), "statement.sta");
  onTestFinished(() => rm(dirname(file), { recursive: true, force: true }));
  const [before, day, today] = [lagosDay(2), lagosDay(1), lagosDay(0)];
  const session = (unique: number) => `000014000013${day.slice(2).replaceAll("-", "")}000001${unique}`;
  expect(await reportToDoor(system, { id: "BNK-17", amount: 2_500.73 })).toMatchObject({ status: "unallocated" });

  await run("statements", "account", "1234567890", "--bank", "058", "--pays-out", "--charge-words", "FEE");
  const account = await json("statements", "account", "1234567890", "--bank", "058");
  expect(account).toMatchObject({ pays_out: true, charge_words: ["FEE"] });
  expect((await run("statements", "import", file, "--from", day)).stderr).toContain("Give both --from and --to");
  const lines = ["C2500,73NTRFNONREF//BNK-17", `C1000,00NTRFNONREF\n:86:FROM ADA ${session(100_018)}`];
  const statements = [mt940(1, before, ["0,00", "0,00"], []), mt940(2, day, ["0,00", "3500,73"], lines)];
  await writeFile(file, statements.join("\n"));
  expect((await json("statements", "import", file)).statements).toMatchObject([{ lines: 0 }, { lines: 2, to: day }]);
  expect((await run("statements", "import", file)).stdout).toMatch(/^Taken before:/);
  const withdrawn = ["statements", "withdraw", "1234567890", "--from", day, "--reason", "sent by mistake"];
  expect(await json(...withdrawn)).toMatchObject({ lines: 2, from: day });
  expect((await run(...withdrawn)).stderr).toMatch(/^not_found/);
  await writeFile(file, statements[1] ?? "");
  expect(await json("statements", "import", file)).toMatchObject({ is_new: true });
  await writeFile(file, mt940(3, today, ["3500,73", "3500,73"], []));
  expect((await run("statements", "import", file)).stderr).toContain("that day is not over");
  await writeFile(file, mt940(9, today, ["0,00", "1,00"], []));
  expect((await run("statements", "import", file)).stderr).toContain("file: Its lines lead to 0.00");

  // Both were received today, and are on the statement of yesterday.
  const show = async (settled: number) =>
    until(`${settled} lines are settled`, async () => {
      const sheet = JSON.parse((await run("day", "show", day, "--json")).stdout);
      return sheet.settled[0]?.items === settled && sheet;
    });
  const { items } = await show(1);
  expect(items).toMatchObject([
    { class: "bank_only", amount: "100000", what: expect.stringContaining("FROM ADA") },
    { class: "timing", amount: "250073" },
  ]);
  const line = items[0].key.replace("line:", "");
  const offer = ["statements", "offer", line, "--bank-transfer-id", "BNK-18", "--account-number", "0000000017"];
  expect((await run(...offer, "--amount", "900.00")).stderr).toContain("The amount is that of the line");
  expect(await json(...offer)).toMatchObject({ status: "unallocated" });
  expect(await show(2)).toMatchObject({ accounts: [{ in: "350073", matched: 2 }], difference: "350073" });
  expect(await json(...offer)).toMatchObject({ status: "duplicate" });
  expect((await run(...offer.with(4, "BNK-19"))).stderr).toContain("The line was offered already, under BNK-18");
  expect(await reportToDoor(system, { id: "BNK-18", amount: 1_000 })).toMatchObject({ status: "duplicate" });

  const csv = (await run("day", "report", day)).stdout;
  expect(csv).toContain(`${day},account,1234567890,058,0.00,3500.73,0.00,0.00,3500.73`);
});

test("a day is closed by another person than the one who imported, and without an account that was named by mistake", async () => {
  const [before, day] = [lagosDay(2), lagosDay(1)];
  expect((await run("day", "charges", day, "1234567890")).stdout).toBe("There is none.\n");
  const left = ["statements", "end-account", "1234567890", "--last-day", day, "--reason", "the bank closed it"];
  expect((await run(...left)).stderr).toContain("3500.73 is in it");
  await run("statements", "account", "7777777777", "--bank", "044");
  const close = ["day", "close", before, "--seen"];
  expect((await run("day", "close", before)).stderr).toContain("--seen");
  expect((await run(...close, "0")).stderr).toContain("no complete statement of account 7777777777");
  expect((await run("statements", "remove-account", "7777777777", "--reason", "named by mistake")).code).toBe(0);

  const { digest } = await json("day", "show", before);
  expect((await run("day", "show", before)).stdout).toContain(`To close it as it is here: --seen ${digest}`);
  expect((await run(...close, digest)).stderr).toContain("You imported a statement of the day");
  const seed = createSeed();
  await run("operator", "add", "bola", "--public-key", publicKeyOf(seed));
  const closeAsBola = (seen: string) => opsAs(seed, system.natsUrl, ...close, seen, "--json");
  expect((await closeAsBola("0")).stderr).toContain("The day has changed since it was shown");
  const closed = await closeAsBola(digest);
  expect(JSON.parse(closed.stdout)).toMatchObject({ state: "closed", closed_by: "bola", difference: "0" });
});
