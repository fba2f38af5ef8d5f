import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createSeed, publicKeyOf } from "@collect/bus";
import { mt940, opsAs, type Statement, until } from "@collect/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { lagosDay, reportToDoor } from "./bank.ts";
import { commandsOf, type System, startSystem } from "./system.ts";

let system: System;
beforeAll(async () => {
  system = await startSystem(["gateway", "accounts", "ledger", "payments", "statements"]);
});
afterAll(() => system.stop());

const { run, json } = commandsOf(() => system);

const statement = (given: Pick<Statement, "number" | "day"> & Partial<Statement>) =>
  mt940({ account: "1234567890", opening: 0n, lines: [], ...given });

test("an account is named, and what is not given stays as it is", async () => {
  const name = (...options: string[]) => run("statements", "account", "1234567890", "--bank", "058", ...options);
  const listed = async () => (await run("statements", "accounts")).stdout;
  await name("--pays-out", "--charge-words", "FEE");
  await name("--payouts-of", "providus");
  const account = await json("statements", "account", "1234567890", "--bank", "058");
  expect(account).toMatchObject({ pays_out: true, charge_words: ["FEE"] });
  expect(await listed()).toContain("at 058, pays out, has the payouts of providus: ");
  await name("--no-payouts-of", "--own-references");
  await name();
  expect(await listed()).toContain("at 058, pays out, with the bank's own references: no statement");
  await name("--no-own-references");
  expect(await listed()).toContain("at 058, pays out: no statement");
  await name("--settles-within", "4");
  await name();
  for (const days of ["0", "15"]) expect((await name("--settles-within", days)).stderr).toContain("settles_within");
  expect((await name("--settles-within", "two")).stderr).toContain("Give a whole number of days.");
  expect(await listed()).toContain("at 058, pays out, settled within 4 days: no statement");
});

test("a day is closed against the bank's statement: what is on it is with us, and what was never notified is credited once", async () => {
  const file = join(await mkdtemp(join(tmpdir(), "collect-statements-")), "statement.sta");
  onTestFinished(() => rm(dirname(file), { recursive: true, force: true }));
  const [before, day, today] = [lagosDay(2), lagosDay(1), lagosDay(0)];
  const session = (unique: number) => `000014000013${day.slice(2).replaceAll("-", "")}000001${unique}`;
  const paidAt = new Date(`${day}T12:00:00+01:00`);
  const credit = { id: "BNK-17", amount: 2_500.73, paidAt };
  expect(await reportToDoor(system, credit)).toMatchObject({ status: "unallocated" });

  expect((await run("statements", "import", file, "--from", day)).stderr).toContain("Give both --from and --to");
  const lines = [
    { amount: 250_073n, reference: "BNK-17" },
    { amount: 100_000n, narration: `FROM ADA ${session(100_018)}` },
  ];
  const statements = [statement({ number: 1, day: before }), statement({ number: 2, day, lines })];
  await writeFile(file, statements.join("\n"));
  expect((await json("statements", "import", file)).statements).toMatchObject([{ lines: 0 }, { lines: 2, to: day }]);
  expect((await run("statements", "import", file)).stdout).toMatch(/^Taken before:/);
  const withdrawn = ["statements", "withdraw", "1234567890", "--from", day, "--reason", "sent by mistake"];
  expect(await json(...withdrawn)).toMatchObject({ lines: 2, from: day });
  expect((await run(...withdrawn)).stderr).toMatch(/^not_found/);
  await writeFile(file, statement({ number: 4, day, lines }));
  expect((await run("statements", "import", file)).stderr).toContain("It is no. 4, and the last one was no. 1");
  expect(await json("statements", "import", file, "--despite-number")).toMatchObject({ is_new: true });
  const span = ["--from", `${before}T00:00:00Z`, "--to", "2100-01-01T00:00:00Z"];
  await until("the log says that it was taken despite its number", async () =>
    /despite_number\\":true/.test((await run("audit-log", "export", ...span)).stdout),
  );
  await writeFile(file, statement({ number: 5, day: today, opening: 350_073n }));
  expect((await run("statements", "import", file)).stderr).toContain("that day is not over");
  await writeFile(file, statement({ number: 9, day: today, closing: 100n }));
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
  expect(csv).toContain(`${day},account,1234567890,058,0.00,3500.73,0.00,0.00,3500.73,0.00,3500.73`);
});

test("lines of other sums are matched by hand once their difference is named, and that is undone once", async () => {
  const day = lagosDay(1);
  const show = async () => JSON.parse((await run("day", "show", day, "--json")).stdout);
  const items: { key: string; what: string }[] = (await show()).items;
  const [one, other] = ["2500.73", "1000.00"].map((amount) => items.find(({ what }) => what.includes(` ${amount} `)));
  const line = one?.key.replace("match:", "") ?? "";
  const [movement = ""] = /int_\w+/.exec(other?.what ?? "") ?? [];
  const match = ["statements", "match", "--lines", line, "--movements", movement];
  expect((await run(...match)).stderr).toContain("The sums differ: name the difference");
  expect((await run(...match, "--difference", "1,500.74")).stderr).toContain("The lines are 1500.73 more");
  expect(await json(...match, "--difference", "1,500.73")).toEqual({ match: line });
  const undo = ["statements", "undo-match", line, "--reason", "another payer's"];
  expect((await run(...undo)).stdout).toBe(`match ${line} is undone\n`);
  expect(await json(...undo)).toEqual({ is_undone: false });
  expect((await show()).settled).toMatchObject([{ class: "timing", items: 2 }]);
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
  const mistyped = publicKeyOf(seed).replace(/.$/, (last) => (last === "A" ? "B" : "A"));
  const refused = await run("operator", "add", "bola", "--public-key", mistyped);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("Give the public key")]);
  await run("operator", "add", "bola", "--public-key", publicKeyOf(seed));
  const closeAsBola = (seen: string) => opsAs(seed, system.natsUrl, ...close, seen, "--json");
  expect((await closeAsBola("0")).stderr).toContain("The day has changed since it was shown");
  const closed = await closeAsBola(digest);
  expect(JSON.parse(closed.stdout)).toMatchObject({ state: "closed", closed_by: "bola", difference: "0" });
});

test("what the bank took back is taken back by the line of its statement, once", async () => {
  const file = join(await mkdtemp(join(tmpdir(), "collect-statements-")), "statement.sta");
  onTestFinished(() => rm(dirname(file), { recursive: true, force: true }));
  const day = lagosDay(1);
  const show = async (): Promise<{ key: string }[]> =>
    JSON.parse((await run("day", "show", day, "--json")).stdout).items;
  const known = new Set((await show()).map(({ key }) => key));
  await writeFile(file, statement({ number: 5, day, opening: 350_073n, lines: [{ amount: -40_000n }] }));
  await json("statements", "import", file);
  const item = (await show()).find(({ key }) => !known.has(key));
  expect(item).toMatchObject({ class: "bank_only", amount: "-40000" });
  const line = item?.key.replace("line:", "") ?? "";
  const { unallocated } = JSON.parse((await run("exceptions", "--json")).stdout);
  const credit = unallocated.find(({ amount_kobo: kobo }: { amount_kobo: string }) => Number(kobo) === 250_073);
  const reverse = ["statements", "reverse", line, "--of", credit.intake_id, "--reason", "the bank's staff said so"];
  expect((await run(...reverse, "--amount", "500.00")).stderr).toContain("The line takes back ₦400.00");
  expect((await run(...reverse.with(2, "17"))).stderr).toBe("not_found: There is no such line.\n");
  expect((await run(...reverse)).stdout).toMatch(/^400\.00 is taken back of int_\w+: int_\w+\.\n$/);
  expect(await json(...reverse)).toMatchObject({ status: "duplicate" });
  await until("the line is matched", async () => !(await show()).some(({ key }) => key === item?.key));
});

test("transfer show prints what the bank said of a transfer, by our id or by the bank's", async () => {
  await reportToDoor(system, { id: "BNK-20", amount: 100 });
  const show = (...by: string[]) => run("transfer", "show", ...by);
  const { transfers } = await json("transfer", "show", "--bank", "058", "--bank-transfer-id", "BNK-20");
  expect(transfers).toMatchObject([{ amount: "10000", bank_fee: "0", session_id: null, merchant_id: null }]);
  const { stdout } = await show(transfers[0].intake_id);
  expect(stdout).toMatch(
    /BNK-20\n {2}paid {8}₦100\.00 into 0000000017 .*\n.*\n.*\n {2}session {5}none\n.*\n.*in suspense\n/,
  );
  expect((await show("int_nothing")).stderr).toMatch(/^not_found: /);
  expect((await show("--bank", "058", "--session", "1")).stderr).toMatch(/^not_found: /);
  for (const wrong of [[], ["int_1", "--bank", "058"], ["--session", "1"], ["--bank", "058"]])
    expect((await show(...wrong)).stderr).toMatch(/^validation_failed: Give the id, or --bank with/);
});

const WHAT_IT_CAN = `058  Partner Bank (default), door /bank/transfers
  accounts    opened for each customer
  reports     credits, reversals, no settlements, no returned payouts; signed over their content
  enquiries   cannot be asked for a transfer
  statements  imported as files
  payouts     sends them (default); names account holders; does not list the banks that it pays to
`;

test("partner list prints what each partner can and cannot do, of what it receives and of what it pays out", async () => {
  expect((await run("partner", "list")).stdout).toBe(WHAT_IT_CAN);
  expect(await json("partner", "list")).toMatchObject({
    partners: [{ id: "058", can: { issues: "by_request", confirms_reports: false } }],
    payouts: [{ id: "058", name: "Partner Bank", is_default: true, lists_banks: false }],
  });
});

test("a day with more lines than fit is shown in groups, which are listed and take a reason, as does a class with what was seen", async () => {
  const file = join(await mkdtemp(join(tmpdir(), "collect-statements-")), "statement.sta");
  onTestFinished(() => rm(dirname(file), { recursive: true, force: true }));
  const day = lagosDay(1);
  await run("statements", "account", "2222222222", "--bank", "099");
  const lines = Array.from({ length: 2_100 }, (_, n) => ({ amount: 100n, narration: `TRF ${n}` }));
  await writeFile(file, statement({ account: "2222222222", number: 1, day, lines }));
  await json("statements", "import", file);

  const show = async () => JSON.parse((await run("day", "show", day, "--json")).stdout);
  const { items, digest } = await show();
  const [group] = items;
  expect(group).toMatchObject({
    key: expect.stringMatching(/^group:line:/),
    class: "bank_only",
    account: "2222222222",
  });
  expect((await run("day", "show", day)).stdout).toContain(`To give all of a class one reason: --seen ${digest}`);
  const of = await json("day", "group", day, group.key);
  expect(of.lines).toHaveLength(group.count);
  expect((await run("day", "group", day, group.key)).stdout).toMatch(/^line:\d+ {2}1\.00 {2}TRF \d+\n/);
  const report = (await run("day", "report", day)).stdout.split("\r\n");
  expect(report.filter((row) => row.includes(",2222222222,TRF "))).toHaveLength(2_100);

  const explain = (item: string, sum: string, ...seen: string[]) =>
    run("day", "explain", day, item, "--amount", sum, "--reason", "sent by the bank", ...seen);
  expect((await explain(group.key, `${group.count}.00`)).code).toBe(0);
  expect((await show()).items[0]).toMatchObject({ key: group.key, reason: "sent by the bank" });
  expect((await explain("bank_only", "2100.00")).stderr).toContain("name the digest of what you have seen");
  expect((await explain("bank_only", "2100.00", "--seen", digest)).stderr).toContain("has changed since it was shown");
  expect((await explain("bank_only", "2100.00", "--seen", (await show()).digest)).stderr).toBe("");
});

test("a line is said to be money of our own, and is in the books once the day is closed", async () => {
  const day = lagosDay(1);
  const show = async () => (await run("day", "show", day)).stdout;
  const { items } = await json("day", "show", day);
  const { key, amount } = items.find((item: { key: string }) => item.key.startsWith("line:"));
  const explain = (...said: string[]) =>
    run("day", "explain", day, key, "--amount", "1.00", "--reason", "by treasury", ...said);
  expect([amount, (await explain("--own", "--charge")).stderr]).toEqual([
    "100",
    expect.stringContaining("Money of our own is no charge of the bank"),
  ]);
  expect(await explain("--own")).toMatchObject({ code: 0, stderr: "" });
  expect(await show()).toContain("by treasury (tester)  [is booked as own funds]");
  const seed = createSeed();
  await run("operator", "add", "chidi", "--public-key", publicKeyOf(seed));
  const { digest } = await json("day", "show", day);
  expect((await opsAs(seed, system.natsUrl, "day", "close", day, "--seen", digest)).stderr).toBe("");
  await until("it is booked", async () => (await show()).includes("own funds of 2222222222: 1.00, booked"));
  expect((await run("books")).stdout).toContain("₦1.00 of own funds");
});
