import { listStatements, type Problem, showDay, withdrawStatement } from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { closeDay, explain } from "../src/use-cases/days.ts";
import { importFile } from "../src/use-cases/import-file.ts";
import { ACCOUNT, aDay, camtOf, fileOf } from "./files.ts";
import { useStatements } from "./world.ts";

/** A file has several statements, and some of them are withdrawn. */

const world = await useStatements();
const { pool, owner, others } = world;
const OTHER = "7777777777";
const DAYS = ["2026-10-01", "2026-10-02", "2026-10-03"] as const;
const [FIRST, SECOND, THIRD] = DAYS;

const ofDays = DAYS.map((day, n) => aDay(day, 200n * BigInt(n), [{}, {}], n + 1));
const camt = (text: string) => new TextEncoder().encode(text);
const [head = "", ...statements] = camtOf([...ofDays, aDay(FIRST, 0n, [{}], 1)]).split(/(?=<Stmt>)/);
/** Three days of our account, and one of another. */
const FILE = camt([head, ...statements.slice(0, 3), statements[3]?.replaceAll(ACCOUNT, OTHER)].join(""));

const outcome = <Done>(work: Promise<Done>) =>
  work.catch(({ code, errors, detail }: Problem) => errors?.[0]?.code ?? `${code}: ${detail}`);
async function take(by: string, bytes: Uint8Array = FILE, account?: string) {
  const { hash, parts } = await world.put(bytes);
  return importFile(pool, { hash, parts, name: "october", account }, by);
}
const withdraw = (from: string, account = ACCOUNT) =>
  others.request(withdrawStatement, { account, from, reason: "the bank replaces it" });
const stored = async () =>
  (
    await owner.query(`
      select account, from_on::text as day, (select count(*)::integer from lines where statement_id = statements.id) as lines
      from statements order by account, from_on`)
  ).rows.map(({ account, day, lines }) => `${account} ${day} ${lines}`);
const ALL = [...DAYS.map((day) => `${ACCOUNT} ${day} 2`), `${OTHER} ${FIRST} 1`];

beforeAll(async () => {
  await world.declareAccount();
  await world.declareAccount({ number: OTHER, bank: "044", pays_out: false });
  expect(await take("ada")).toMatchObject({ is_new: true });
});

test("what was withdrawn of a file is taken again, in its order, and what stayed is the same", async () => {
  await withdraw(THIRD);
  await withdraw(SECOND);
  await withdraw(FIRST, OTHER);
  expect(await stored()).toEqual([`${ACCOUNT} ${FIRST} 2`]);
  const again = await take("bola");
  expect(again.is_new).toBe(true);
  expect(again.statements.map(({ account, from }) => [account, from])).toEqual([
    ...DAYS.map((day) => [ACCOUNT, day]),
    [OTHER, FIRST],
  ]);
  expect(await stored()).toEqual(ALL);
  expect(await take("chidi")).toMatchObject({ is_new: false, statements: again.statements });
  expect(await stored()).toEqual(ALL);
});

test("five who take it again at once take it once", async () => {
  await withdraw(THIRD);
  const done = await Promise.all(["ada", "bola", "chidi", "dayo", "efe"].map((by) => take(by)));
  expect(done.filter(({ is_new }) => is_new).length).toBe(1);
  for (const { statements } of done) expect(statements).toEqual(done[0]?.statements);
  expect(await stored()).toEqual(ALL);
});

test("what dies between two of them takes none, and the next try takes all", async () => {
  await withdraw(THIRD);
  await withdraw(SECOND);
  await owner.query(`
    create function die() returns trigger language plpgsql security definer as $$ begin
      if new.booked_on = '${THIRD}' then perform pg_terminate_backend(pg_backend_pid()); end if; return new;
    end $$;
    create trigger dies before insert on lines for each row execute function die()`);
  expect(await take("ada").catch(() => "died")).toBe("died");
  expect(await stored()).toEqual([`${ACCOUNT} ${FIRST} 2`, `${OTHER} ${FIRST} 1`]);
  await owner.query("drop trigger dies on lines");
  expect(await take("bola")).toMatchObject({ is_new: true });
  expect(await stored()).toEqual(ALL);
});

test("a file whose statement was replaced by another file's is refused whole, and changes nothing", async () => {
  await withdraw(FIRST, OTHER);
  await withdraw(THIRD);
  await take("ada", camt(camtOf([aDay(THIRD, 400n, [{}], 3)])));
  const replaced = [...ALL.slice(0, 2), `${ACCOUNT} ${THIRD} 1`];
  expect(await outcome(take("bola"))).toBe("statement_overlaps");
  expect(await stored()).toEqual(replaced);
  await withdraw(THIRD);
  expect(await take("bola")).toMatchObject({ is_new: true });
  expect(await stored()).toEqual(ALL);
});

test("the statement of a table is there as long as its file is known, whichever account is named", async () => {
  const csv = fileOf("csv", [aDay("2026-10-04", 600n, [{}])]);
  expect(await take("ada", csv, ACCOUNT)).toMatchObject({ is_new: true });
  expect(await take("bola", csv)).toMatchObject({ is_new: false, statements: [{ from: "2026-10-04" }] });
});

test("who took a statement again is its importer, and closes no day that it covers; who imported the file closes those", async () => {
  const { data } = await others.request(listStatements, {});
  const of = data.filter(({ from }) => from <= THIRD).toReversed();
  expect(of.map(({ account, from, imported_by }) => [account, from, imported_by])).toEqual([
    [ACCOUNT, FIRST, "ada"],
    [ACCOUNT, SECOND, "bola"],
    [ACCOUNT, THIRD, "bola"],
    [OTHER, FIRST, "bola"],
  ]);
  const times = of.map(({ imported_at }) => imported_at);
  expect(times).toEqual(times.toSorted());
  expect(new Set(times).size).toBeGreaterThan(1);
  expect(await close(FIRST, "ada")).toBe(REFUSED);
  expect(await close(FIRST, "bola")).toBe(REFUSED);
  expect(await close(FIRST, "chidi")).toBe("closed");
  await take("zainab", camt(camtOf([aDay(SECOND, 100n, [], 2)]).replaceAll(ACCOUNT, OTHER)));
  expect(await close(SECOND, "bola")).toBe(REFUSED);
  expect(await close(SECOND, "ada")).toBe("closed");
});

const REFUSED = "second_person_required: You imported a statement of the day: another person closes it.";
async function close(day: string, by: string): Promise<string> {
  for (const { key: item, amount, settled } of (await others.request(showDay, { day })).items)
    if (!settled) await explain(world, { day, item, amount: BigInt(amount), reason: "the bank is asked" }, "zainab");
  return closeDay(world, day, by).then(
    ({ state }) => state,
    ({ code, detail }: Problem) => `${code}: ${detail}`,
  );
}
