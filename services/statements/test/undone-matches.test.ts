import { explainDifference, matchByHand, type Problem, showDay, undoMatch } from "@collect/contracts";
import { beforeAll, describe, expect, test } from "vitest";
import { readMatchers } from "../src/store/days.ts";
import { closeDay as close } from "../src/use-cases/days.ts";
import { matchByHand as matchAs } from "../src/use-cases/match-by-hand.ts";
import { aDay, camtOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

/** A match by hand, what it takes to make one of different sums, and how it is undone. */

const world = await useStatements();
const { others, known, pool, bus, refresh } = world;

const importDay = (...given: Parameters<typeof aDay>) =>
  world.importFile(new TextEncoder().encode(camtOf([aDay(...given)])));
const show = (day: string) => others.request(showDay, { day });
const closeAs = (by: string, day: string) => close({ pool, bus, refresh }, day, by);
const codesOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code, detail, errors }: Problem) => `${code}: ${errors?.[0]?.code ?? detail}`,
  );
const CLOSED = "conflict: The day is closed: reopen it first.";
const lineOf = async (narration: string): Promise<string> =>
  (await world.owner.query("select id::text from lines where narration = $1", [narration])).rows[0].id;
const undo = (match: string) => others.request(undoMatch, { match, reason: "It was another payer's" });
const matchesByHand = async () =>
  (await world.owner.query("select id::text, made_by from matches where evidence = 'hand' order by id")).rows;

/** A transfer that accounts reports, and the ledger's new balance at the end of its day. */
function report(id: string, day: string, amount: bigint) {
  const at = `${day}T09:00:00.000+00:00`;
  const row = { intake_id: `int_${id}`, bank_transfer_id: id, bank: BANK, amount: amount.toString() };
  known.incoming.push({ ...row, paid_at: at, received_at: at });
  known.ledger.set(day, ([...known.ledger.values()].at(-1) ?? 0n) + amount);
}

beforeAll(async () => {
  await world.declareAccount();
  // The ids say that none belongs to another.
  await importDay("2026-10-01", 0n, [
    { amount: 100n, narration: "FROM ADA", references: ["ADA0000"] },
    { amount: 60n, narration: "FROM CHIDI", references: ["CHIDI00"] },
  ]);
  report("A", "2026-10-01", 100n);
  report("C", "2026-10-01", 40n);
  await importDay("2026-10-02", 160n, []);
});

describe("what has other sums", () => {
  const match = async (difference?: string) =>
    others.request(matchByHand, {
      ...{ lines: [await lineOf("FROM CHIDI")], movements: ["int_C"] },
      ...(difference && { difference }),
    });

  test("is not matched by hand without the difference, nor with another one, and is with it", async () => {
    await show("2026-10-01");
    for (const named of [undefined, "0", "-20", "19"])
      expect(await codesOf(match(named))).toBe("conflict: sums_differ");
    expect(await matchesByHand()).toEqual([]);
    expect(await match("20")).toEqual({ match: await lineOf("FROM CHIDI") });
  });
  test("and what has the same is, without it or with zero, and not with another one", async () => {
    const same = { lines: [await lineOf("FROM ADA")], movements: ["int_A"] };
    expect(await codesOf(others.request(matchByHand, { ...same, difference: "1" }))).toBe("conflict: sums_differ");
    const { match: made } = await others.request(matchByHand, { ...same, difference: "0" });
    expect(made).toBe(same.lines[0]);
    // Another person's repeat is the first one's match.
    expect(await matchAs(pool, same, "bola")).toBe(BigInt(made));
    expect(await matchesByHand()).toEqual([
      { id: same.lines[0], made_by: "tester" },
      { id: await lineOf("FROM CHIDI"), made_by: "tester" },
    ]);
  });
});

describe("a match by hand", () => {
  test("is undone with what was vouched for with it, once", async () => {
    const match = await lineOf("FROM CHIDI");
    const why = { day: "2026-10-01", item: `match:${match}`, amount: "20", reason: "The bank says so" };
    await others.request(explainDifference, why);
    const before = await show("2026-10-01");
    expect(before.items.find(({ key }) => key === `match:${match}`)).toMatchObject({
      ...{ class: "different_amount", reason: "The bank says so", matched_by: "tester" },
    });
    const twice = await Promise.all([undo(match), undo(match)]);
    expect(twice.map(({ is_undone }) => is_undone).toSorted()).toEqual([false, true]);
    expect(await undo(match)).toEqual({ is_undone: false });
    expect(await undo("999999")).toEqual({ is_undone: false });
    const { items } = await show("2026-10-01");
    expect(items.map(({ key, class: kind, matched_by }) => [key, kind, matched_by])).toEqual([
      [`line:${match}`, "bank_only", null],
      ["int_C", "books_only", null],
      [`match:${await lineOf("FROM ADA")}`, "by_hand", "tester"],
    ]);
  });
  test("that is made again has its number, and not the reason that was given for the one before", async () => {
    const match = await lineOf("FROM CHIDI");
    await others.request(matchByHand, { lines: [match], movements: ["int_C"], difference: "20" });
    const { items, blocked_by } = await show("2026-10-01");
    expect(items.find(({ key }) => key === `match:${match}`)).toMatchObject({ reason: "matched by hand" });
    expect(blocked_by).toBe("Lines of the difference without a reason: 1.");
    await undo(match);
  });
  test("that was found by itself is not undone", async () => {
    report("AUTO", "2026-10-02", 5n);
    await importDay("2026-10-03", 160n, [{ amount: 5n, narration: "BY ITSELF", references: ["AUTO"] }]);
    await refresh();
    const match = await lineOf("BY ITSELF");
    const evidence = "select evidence from matches where id = $1";
    expect((await world.owner.query(evidence, [match])).rows).toEqual([{ evidence: "reference" }]);
    expect(await undo(match)).toEqual({ is_undone: false });
    expect((await world.owner.query(evidence, [match])).rows).toHaveLength(1);
  });
  test("once it is undone its maker has vouched for nothing of the day, and what had made way for it is matched again", async () => {
    const [ada, auto] = [await lineOf("FROM ADA"), await lineOf("BY ITSELF")];
    expect(await codesOf(others.request(matchByHand, { lines: [auto], movements: ["int_A"] }))).toBe(
      "conflict: sums_differ",
    );
    await matchAs(pool, { lines: [auto, ada], movements: ["int_A", "int_AUTO"] }, "bola");
    expect(await readMatchers(pool, "2026-10-01")).toEqual(["bola"]);
    expect(await undo(ada)).toEqual({ is_undone: true });
    expect(await readMatchers(pool, "2026-10-01")).toEqual([]);
    await refresh();
    expect((await world.owner.query("select evidence from matches where id = $1", [auto])).rows).toEqual([
      { evidence: "reference" },
    ]);
  });
});

describe("beside a closing", () => {
  /** All that is left of the first day has a reason of another person than the one who closes. */
  const explainAll = async (day: string) => {
    for (const { key, amount, reason } of (await show(day)).items)
      if (reason === null)
        await others.request(explainDifference, { day, item: key, amount, reason: "Asked the bank" });
  };
  const waits = async () =>
    expect
      .poll(async () => {
        const { rows } = await world.owner.query(
          `select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
        );
        return rows.length;
      })
      .toBe(1);

  test("a match is undone before the day is closed, or not at all: the closing that began first wins", async () => {
    const [ada] = [await lineOf("FROM ADA")];
    await others.request(matchByHand, { lines: [ada], movements: ["int_A"] });
    await explainAll("2026-10-01");
    // A closing that has its lock, and has not committed.
    const closing = await pool.connect();
    await closing.query("begin");
    await closing.query("select pg_advisory_xact_lock(hashtext('closings'))");
    const undone = codesOf(undo(ada));
    await waits();
    await closing.query("insert into closings (day, sheet, closed_by) values ('2026-10-01', '{}', 'bola')");
    await closing.query("commit");
    closing.release();
    expect(await undone).toBe(CLOSED);
    expect((await matchesByHand()).map(({ id }) => id)).toEqual([ada]);
    await world.owner.query("update closings set reopened_by = 'bola', reopened_at = now(), reason = 'a test'");
  });
  test("a match by hand is made before the day is closed, or not at all: the closing has been seen without it", async () => {
    const ada = await lineOf("FROM ADA");
    await undo(ada);
    const closing = await pool.connect();
    await closing.query("begin");
    await closing.query("select pg_advisory_xact_lock(hashtext('closings'))");
    const matched = codesOf(matchAs(pool, { lines: [ada], movements: ["int_A"] }, "chidi"));
    await waits();
    await closing.query("insert into closings (day, sheet, closed_by) values ('2026-10-01', '{}', 'bola')");
    await closing.query("commit");
    closing.release();
    expect(await matched).toBe(CLOSED);
    expect(await matchesByHand()).toEqual([]);
    await world.owner.query(
      "update closings set reopened_by = 'bola', reopened_at = now(), reason = 'a test' where reopened_at is null",
    );
    await others.request(matchByHand, { lines: [ada], movements: ["int_A"] });
    await explainAll("2026-10-01");
  });
  test("a closing waits for an undoing that began first, and is of the day without the match", async () => {
    const [ada] = [await lineOf("FROM ADA")];
    const { digest, blocked_by } = await show("2026-10-01");
    expect(blocked_by).toBeNull();
    const client = await pool.connect();
    await client.query("begin");
    await client.query("update lines set match_id = null where match_id = $1", [ada]);
    await client.query("update movements set match_id = null where match_id = $1", [ada]);
    await client.query("delete from matches where id = $1", [ada]);
    const closing = codesOf(close({ pool, bus, refresh: async () => {} }, "2026-10-01", "bola", digest));
    await waits();
    await client.query("commit");
    client.release();
    expect(await closing).toMatch(/^conflict: /);
    expect((await show("2026-10-01")).state).toBe("open");
  });
  test("one side of a closed day keeps a match, also if the other side is open, until the day is reopened", async () => {
    const [ada] = [await lineOf("FROM ADA")];
    report("LATE", "2026-10-03", 100n);
    await refresh();
    await others.request(matchByHand, { lines: [ada], movements: ["int_LATE"] });
    await explainAll("2026-10-01");
    await world.owner.query("update files set imported_by = 'ada'");
    expect(await closeAs("bola", "2026-10-01")).toMatchObject({ state: "closed" });
    expect(await codesOf(undo(ada))).toBe(CLOSED);
    expect((await matchesByHand()).map(({ id }) => id)).toEqual([ada]);
    await world.owner.query(
      "update closings set reopened_by = 'bola', reopened_at = now(), reason = 'a test' where reopened_at is null",
    );
    expect(await undo(ada)).toEqual({ is_undone: true });
  });
});
