import { createHash } from "node:crypto";
import {
  importStatements,
  listBankAccounts,
  type Problem,
  putStatementPart,
  StatementMapping,
  withdrawStatement,
} from "@collect/contracts";
import { beforeAll, describe, expect, test } from "vitest";
import { addDays } from "../src/domain/calendar.ts";
import { ACCOUNT, aDay, camtOf, fileOf } from "./files.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
beforeAll(() => world.declareAccount());

const camt = (...days: Parameters<typeof camtOf>[0]) => new TextEncoder().encode(camtOf(days));
const counts = async () => {
  const { rows } = await world.owner.query(`
    select (select count(*) from files)::integer as files, (select count(*) from statements)::integer as statements,
      (select count(*) from lines)::integer as lines`);
  return rows[0];
};
/** The codes of a refusal: its own, and that of the file. */
const codesOf = (importing: Promise<unknown>) =>
  importing.then(
    () => ["taken"],
    (problem: Problem) => [problem.code, problem.errors?.[0]?.code],
  );

describe("statements follow each other", () => {
  const first = aDay("2026-10-01", 1_000n, [{ amount: 500n }, { amount: -200n }], 3);
  const second = aDay("2026-10-02", 1_300n, [{}], 4);
  const third = aDay("2026-10-03", 1_400n, [{}, {}, {}], 5);

  test("the first is taken as it is", async () => {
    const { statements, is_new } = await world.importFile(camt(first));
    expect(is_new).toBe(true);
    expect(statements).toEqual([
      {
        account: ACCOUNT,
        number: "3",
        from: "2026-10-01",
        to: "2026-10-01",
        opening: "1000",
        closing: "1300",
        lines: 2,
      },
    ]);
  });
  test("a later one before an earlier one is refused, and taken after it", async () => {
    expect(await codesOf(world.importFile(camt(third)))).toEqual(["conflict", "statement_missing"]);
    expect(await codesOf(world.importFile(camt(second)))).toEqual(["taken"]);
    expect(await codesOf(world.importFile(camt(third)))).toEqual(["taken"]);
  });
  test("one that begins before the last has ended is refused", async () => {
    expect(await codesOf(world.importFile(camt(aDay("2026-10-03", 1_700n, [{}]))))).toEqual([
      "conflict",
      "statement_overlaps",
    ]);
  });
  test("one that begins from another balance is refused", async () => {
    expect(await codesOf(world.importFile(camt(aDay("2026-10-04", 9n, [{}]))))).toEqual([
      "conflict",
      "opening_balance",
    ]);
  });
  test("a gap in the days is one unless the bank's numbers are consecutive", async () => {
    expect(await codesOf(world.importFile(camt(aDay("2026-10-06", 1_700n, [{}], 9))))).toEqual([
      "conflict",
      "statement_missing",
    ]);
    expect(await codesOf(world.importFile(camt(aDay("2026-10-06", 1_700n, [{}], 6))))).toEqual(["taken"]);
  });
  test("a file whose second statement does not follow its first is refused whole", async () => {
    const before = await counts();
    const days = [aDay("2026-10-07", 1_800n, [{}]), aDay("2026-10-08", 7n, [{}])];
    expect(await codesOf(world.importFile(camt(...days)))).toEqual(["conflict", "opening_balance"]);
    expect(await counts()).toEqual(before);
  });
});

describe("a file is taken once", () => {
  const file = camt(
    aDay(
      "2026-10-07",
      1_800n,
      Array.from({ length: 300 }, () => ({})),
    ),
  );

  test("five imports of it at once are one", async () => {
    const before = await counts();
    const { hash } = await world.put(file);
    const imports = Array.from({ length: 5 }, () =>
      world.others.request(importStatements, { hash, parts: 1, name: "a" }),
    );
    const done = await Promise.all(imports);
    expect(done.filter(({ is_new }) => is_new).length).toBe(1);
    expect(new Set(done.map(({ statements }) => JSON.stringify(statements))).size).toBe(1);
    expect(await counts()).toEqual({
      files: before.files + 1,
      statements: before.statements + 1,
      lines: before.lines + 300,
    });
  });
  test("a later import of it is the same, and its parts are gone", async () => {
    expect(await world.importFile(file)).toMatchObject({ is_new: false, statements: [{ lines: 300 }] });
    const { rows } = await world.owner.query("select hash from file_parts where hash in (select hash from files)");
    expect(rows).toEqual([]);
  });
  test("a file that is not the one of its hash is refused", async () => {
    const hash = "0".repeat(64);
    await world.others.request(putStatementPart, { hash, part: 1, data: "AAAA" });
    expect(await codesOf(world.others.request(importStatements, { hash, parts: 1, name: "a" }))).toEqual([
      "conflict",
      undefined,
    ]);
  });
  test("a file in several parts is taken once all of them are there", async () => {
    const bytes = camt(aDay("2026-10-08", 31_800n, []));
    const hash = createHash("sha256").update(bytes).digest("hex");
    const half = Math.ceil(bytes.length / 2);
    const put = (part: number, slice: Uint8Array) =>
      world.others.request(putStatementPart, { hash, part, data: Buffer.from(slice).toString("base64") });
    const take = () => codesOf(world.others.request(importStatements, { hash, parts: 2, name: "a" }));
    await put(2, bytes.subarray(half));
    expect(await take()).toEqual(["conflict", undefined]);
    await put(1, bytes.subarray(0, half));
    expect(await take()).toEqual(["taken"]);
  });
  test("what dies between its lines leaves nothing, and is taken by the next try", async () => {
    const opening = 1_800n + 30_000n;
    const bytes = camt(
      aDay(
        "2026-10-09",
        opening,
        Array.from({ length: 5_200 }, () => ({ amount: 1n })),
      ),
    );
    const before = await counts();
    // Dies in the second of its statements, as the server does: after 5,000 lines are inserted.
    await world.owner.query(`
      create function die() returns trigger language plpgsql as $$ begin
        if new.position > 5000 then perform pg_terminate_backend(pg_backend_pid()); end if; return new;
      end $$;
      create trigger dies before insert on lines for each row execute function die()`);
    await world.owner.query("alter function die() security definer");
    expect(await codesOf(world.importFile(bytes))).toEqual(["service_unavailable", undefined]);
    expect(await counts()).toEqual(before);
    await world.owner.query("drop trigger dies on lines");
    expect(await codesOf(world.importFile(bytes))).toEqual(["taken"]);
    expect(await counts()).toMatchObject({ lines: before.lines + 5_200 });
  });
});

describe("a file is of an account of ours", () => {
  test("one that names no account needs one, and one that is known", async () => {
    const csv = fileOf("csv", [aDay("2026-10-10", 37_000n, [{}])]);
    expect(await codesOf(world.importFile(csv))).toEqual(["validation_failed", undefined]);
    expect(await codesOf(world.importFile(csv, "9999999999"))).toEqual(["not_found", undefined]);
    expect(await codesOf(world.importFile(csv, ACCOUNT))).toEqual(["taken"]);
  });
  test("one that was made for more days than it has lines of is of those", async () => {
    const { hash } = await world.put(fileOf("csv", [aDay("2026-10-13", 37_100n, [{}])]));
    const named = { hash, parts: 1, name: "a", account: ACCOUNT };
    const taken = (period?: { from: string; to: string }) =>
      codesOf(world.others.request(importStatements, { ...named, ...(period && { period }) }));
    expect(await taken()).toEqual(["conflict", "statement_missing"]);
    expect(await taken({ from: "2026-10-11", to: "2026-10-12" })).toEqual(["validation_failed", "outside_period"]);
    expect(await taken({ from: "2026-10-11", to: "2026-10-14" })).toEqual(["taken"]);
  });
  test("one of another account is refused", async () => {
    const foreign = camtOf([aDay("2026-10-11", 0n, [{}])]).replaceAll(ACCOUNT, "5555555555");
    expect(await codesOf(world.importFile(new TextEncoder().encode(foreign)))).toEqual(["not_found", undefined]);
    expect(await codesOf(world.importFile(new TextEncoder().encode(foreign), ACCOUNT))).toEqual([
      "validation_failed",
      "wrong_account",
    ]);
  });
  test("two accounts do not pay out, and two do not receive for one bank", async () => {
    const other = { number: "7777777777" };
    await expect(world.declareAccount({ ...other, bank: "044" })).rejects.toMatchObject({ code: "conflict" });
    await expect(world.declareAccount({ ...other, pays_out: false })).rejects.toMatchObject({ code: "conflict" });
    await world.declareAccount({ ...other, bank: "044", pays_out: false });
    const { accounts } = await world.others.request(listBankAccounts, {});
    expect(accounts).toMatchObject([
      { number: ACCOUNT, from: "2026-10-01", to: "2026-10-14", closing: "37200" },
      { number: "7777777777", from: null, to: null },
    ]);
  });
  test("one whose bank exports Windows-1252 is read once its mapping says so", async () => {
    const other = { number: "7777777777", bank: "044", pays_out: false };
    const text = new TextDecoder().decode(fileOf("csv", [aDay("2026-10-01", 0n, [{ narration: "CAFÉ BÀBÁ" }])]));
    const importing = () => codesOf(world.importFile(Buffer.from(text, "latin1"), other.number));
    expect(await importing()).toEqual(["validation_failed", "unknown_format"]);
    const mapping = StatementMapping.parse((await world.declareAccount(other)).mapping);
    const changed = await world.declareAccount({ ...other, mapping: { ...mapping, encoding: "windows-1252" } });
    expect(changed.mapping).toEqual({ ...mapping, encoding: "windows-1252" });
    expect(await importing()).toEqual(["taken"]);
    const { rows } = await world.owner.query("select narration from lines where account = $1", [other.number]);
    expect(rows).toEqual([{ narration: "CAFÉ BÀBÁ" }]);
  });
});

describe("a day that is not over", () => {
  const today = new Date(Date.now() + 3_600_000).toISOString().slice(0, 10);
  const NUMBER = "8888888888";
  const take = (...days: Parameters<typeof camtOf>[0]) =>
    world.importFile(new TextEncoder().encode(camtOf(days).replaceAll(ACCOUNT, NUMBER)));

  test("is refused: the rest of its lines would be in a file that overlaps", async () => {
    await world.declareAccount({ number: NUMBER, bank: "058", pays_out: false });
    for (const day of [today, addDays(today, 40)])
      expect(await codesOf(take(aDay(day, 0n, [{}])))).toEqual(["validation_failed", "unfinished_day"]);
    expect(await codesOf(take(aDay(addDays(today, -1), 0n, [{}])))).toEqual(["taken"]);
  });
  test("the last statement is withdrawn with its lines, and its file can be taken again", async () => {
    const from = addDays(today, -1);
    const withdraw = (account: string, from: string) =>
      codesOf(world.others.request(withdrawStatement, { account, from, reason: "of another account" }));
    const before = await counts();
    expect(await withdraw(NUMBER, addDays(from, -1))).toEqual(["not_found", undefined]);
    expect(await withdraw(ACCOUNT, "2026-10-01")).toEqual(["not_found", undefined]);
    const twice = await Promise.all([withdraw(NUMBER, from), withdraw(NUMBER, from)]);
    expect(twice.toSorted()).toEqual([["not_found", undefined], ["taken"]]);
    expect(await counts()).toEqual({
      files: before.files - 1,
      statements: before.statements - 1,
      lines: before.lines - 1,
    });
    expect(await codesOf(take(aDay(from, 0n, [{}])))).toEqual(["taken"]);
  });
  test("no other one, even for the service itself", async () => {
    const earlier = "(select id from statements where account = $1 order by from_on limit 1)";
    await expect(world.pool.query(`delete from statements where id = ${earlier}`, [ACCOUNT])).rejects.toThrow(
      /refused/,
    );
  });
});
