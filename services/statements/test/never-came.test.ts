import {
  claimLine,
  explainDifference,
  holdMissingCredit,
  lateIdOf,
  matchByHand,
  missingIdOf,
  type Problem,
  showDay,
} from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { countMissing } from "../src/store/missing.ts";
import { closeDay } from "../src/use-cases/days.ts";
import { aDay, camtOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

/** What a bank reported and never had. */

const world = await useStatements();
const { others, known, owner, pool, bus, refresh } = world;
const [FIRST, SECOND, THIRD] = ["2026-10-05", "2026-10-06", "2026-10-07"] as const;
const PAID_INTO = "0123456789";

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code, detail, errors }: Problem) => errors?.[0]?.code ?? `${code}: ${detail}`,
  );
const session = (unique: number) => `00002321101813374700500000319${unique}`;

let second = 10;
async function receive(intake_id: string, bank_transfer_id: string, day: string, given: object): Promise<void> {
  const at = `${day}T10:00:${second++}.000+00:00`;
  const row = { intake_id, bank: BANK, bank_transfer_id, paid_at: at, received_at: at, amount: "0", ...given };
  known.incoming = [...known.incoming, row];
  known.ledger.set(day, ([...known.ledger.values()].at(-1) ?? 0n) + BigInt(row.amount));
  await refresh();
}
const report = (name: string, amount: bigint, day: string, given: object = {}) =>
  receive(`int_${name}`, name, day, { amount: amount.toString(), ...given });
/** accounts has taken it back. */
const takeBack = (name: string, amount: bigint, day: string) =>
  receive(`int_${name}_back`, missingIdOf(`int_${name}`), day, { amount: (-amount).toString() });
const hold = (name: string, ...despite_lines: string[]) =>
  codeOf(others.request(holdMissingCredit, { intake_id: `int_${name}`, despite_lines }));
const importDay = (...given: Parameters<typeof aDay>) =>
  world.importFile(new TextEncoder().encode(camtOf([aDay(...given)])));
const lineOf = async (narration: string): Promise<string> =>
  (await owner.query("select id::text from lines where narration = $1", [narration])).rows[0].id;
const itemOf = async (day: string, ...keys: string[]) =>
  (await others.request(showDay, { day })).items.filter(({ key, what }) =>
    keys.some((each) => key === each || what.includes(each)),
  );
const matchOf = async (name: string) =>
  (
    await owner.query(
      "select matches.id < 0 as alone, evidence from movements join matches on id = match_id where key = $1",
      [`int_${name}`],
    )
  ).rows[0];
const HELD = { alone: true, evidence: "amount" };
const TAKEN_BACK = { alone: true, evidence: "reference" };

beforeAll(async () => {
  await world.declareAccount();
  await importDay(FIRST, 0n, [{ amount: 100n, narration: "CAME", references: [session(1)] }]);
  await report("CAME", 100n, FIRST, { session_id: session(1) });
  await report("TWICE", 100n, FIRST, { session_id: session(1) });
  await report("NEVER", 70n, FIRST, { session_id: session(2) });
});

test("a credit is held once the statements prove that it is missing, and one that a line has is not", async () => {
  expect(await hold("NEVER")).toBe("credit_may_come");
  await importDay(SECOND, 100n, []);
  expect(await hold("NOBODY")).toMatch(/^not_found/);
  expect(await hold("CAME")).toBe("credit_is_matched");
  await report("LATE", 50n, SECOND);
  expect(await hold("LATE")).toBe("credit_may_come");
  expect(await Promise.all([hold("NEVER"), hold("NEVER")])).toEqual(["done", "done"]);
  expect(await matchOf("NEVER")).toEqual(HELD);
  // Until it is taken back, it is missing.
  expect(await itemOf(FIRST, "int_NEVER")).toMatchObject([
    { key: "int_NEVER", class: "books_only", amount: "-70", settled: false },
  ]);
});

test("a line that comes while it is held is not matched with it, and stops the same act again", async () => {
  await importDay(THIRD, 100n, [
    { amount: 70n, narration: "LATE LINE", references: [session(2)] },
    { amount: 7n, narration: "OTHER", references: ["FT7"] },
  ]);
  await refresh();
  expect(await matchOf("NEVER")).toEqual(HELD);
  expect(await hold("NEVER")).toBe("line_may_be_credit");
  const byHand = { lines: [await lineOf("LATE LINE")], movements: ["int_NEVER"] };
  expect(await codeOf(others.request(matchByHand, byHand))).toBe("credit_never_came");
});

test("one that accounts does not take back is matched as ever, once all was read that it could have booked", async () => {
  await owner.query("update matches set made_at = clock_timestamp() - interval '9 minutes' where id < 0");
  await refresh();
  expect(await matchOf("NEVER")).toEqual(HELD);
  await owner.query("update matches set made_at = clock_timestamp() - interval '11 minutes' where id < 0");
  await refresh();
  expect(await matchOf("NEVER")).toEqual({ alone: false, evidence: "session" });
  expect(await hold("NEVER")).toBe("credit_is_matched");
});

test("a session that was reported twice is taken back once, is matched with that, and needs no reason on either day", async () => {
  expect(await hold("TWICE")).toBe("done");
  await takeBack("TWICE", 100n, THIRD);
  expect([await matchOf("TWICE"), await matchOf("TWICE_back")]).toEqual([TAKEN_BACK, TAKEN_BACK]);
  const settled = { class: "timing", settled: true, matched_by: null };
  expect(await itemOf(FIRST, "int_TWICE")).toMatchObject([{ ...settled, amount: "-100" }]);
  expect(await itemOf(THIRD, "int_TWICE")).toMatchObject([{ ...settled, amount: "100" }]);
  expect((await countMissing(pool)).keys).not.toContain("int_TWICE");
  // As after a restore of accounts.
  expect(await hold("TWICE")).toBe("done");
  expect(await matchOf("TWICE")).toEqual(TAKEN_BACK);
  const byHand = { lines: [await lineOf("OTHER")], movements: ["int_TWICE"], difference: "-93" };
  expect(await codeOf(others.request(matchByHand, byHand))).toBe("credit_never_came");
  // The release before does not ask.
  await expect(owner.query("delete from matches where id < 0")).rejects.toThrow("never came");
});

test("what may be a line by its amount is held only if that is named, and taken back on its own day it is no difference", async () => {
  await report("OTHER", 7n, THIRD, { session_id: session(3) });
  await importDay("2026-10-08", 177n, []);
  expect(await hold("OTHER")).toBe("line_may_be_credit");
  expect(await hold("OTHER", "17")).toBe("line_may_be_credit");
  expect(await hold("OTHER", await lineOf("OTHER"))).toBe("done");
  await takeBack("OTHER", 7n, THIRD);
  expect(await matchOf("OTHER")).toEqual(TAKEN_BACK);
  expect(await itemOf(THIRD, "int_OTHER")).toEqual([]);
});

test("a line that comes late is offered as the same transfer once more, under that id and by one line, and not as another", async () => {
  const day = "2026-10-09";
  await importDay(day, 177n, [
    { amount: 100n, narration: "AFTER ALL", references: [session(1)] },
    { amount: 100n, narration: "AGAIN", references: [session(1)] },
  ]);
  const offer = async (bank_transfer_id: string, narration = "AFTER ALL") => {
    const given = { account_number: PAID_INTO, amount: "100", bank_transfer_id };
    return codeOf(others.request(claimLine, { ...given, line: await lineOf(narration) }));
  };
  await refresh();
  expect(await matchOf("TWICE")).toEqual(TAKEN_BACK);
  expect(await offer("TWICE")).toBe("credit_never_came");
  expect(await offer("ANY")).toMatch(/^conflict/);
  expect(await offer(lateIdOf("int_CAME"))).toMatch(/^conflict: int_CAME was not taken back/);
  expect(await offer(lateIdOf("int_TWICE"))).toBe("done");
  expect(await offer(lateIdOf("int_TWICE"))).toBe("done");
  expect(await offer(lateIdOf("int_TWICE"), "AGAIN")).toMatch(/^conflict: Another line was offered/);
  await receive("int_TWICE_late", lateIdOf("int_TWICE"), day, { amount: "100" });
  expect(await matchOf("TWICE_late")).toEqual({ alone: false, evidence: "reference" });
});

test("a credit of a closed day is taken back on the first open one, and the closed day stays", async () => {
  const day = "2026-10-10";
  await importDay(day, 377n, []);
  await report("CLOSED", 30n, day);
  await importDay("2026-10-11", 377n, []);
  for (const each of [FIRST, SECOND, THIRD, "2026-10-08", "2026-10-09", day]) {
    const { items } = await others.request(showDay, { day: each });
    for (const { key: item, amount, settled } of items)
      if (!settled) await others.request(explainDifference, { day: each, item, amount, reason: "the bank is asked" });
    await closeDay({ pool, bus, refresh }, each, "bola");
  }
  const closed = await others.request(showDay, { day });
  expect(closed.items).toContainEqual(expect.objectContaining({ key: "int_CLOSED", reason: "the bank is asked" }));
  expect(await hold("CLOSED")).toBe("done");
  await owner.query(
    "update matches set made_at = clock_timestamp() - interval '11 minutes' where id < 0 and evidence = 'amount'",
  );
  await refresh();
  expect(await matchOf("CLOSED")).toBeUndefined();
  expect(await hold("CLOSED")).toBe("done");
  await takeBack("CLOSED", 30n, day);
  expect(await matchOf("CLOSED")).toEqual(TAKEN_BACK);
  expect(await others.request(showDay, { day })).toEqual(closed);
  expect(await itemOf("2026-10-11", "int_CLOSED")).toMatchObject([{ class: "timing", amount: "30", settled: true }]);
});

test("a restore of statements to before the act finds what accounts has taken back, whatever was matched by the amount meanwhile", async () => {
  const day = "2026-10-11";
  await report("RESTORED", 90n, day);
  await importDay("2026-10-12", 377n, [{ amount: 90n, narration: "SAME AMOUNT" }]);
  await refresh();
  expect(await matchOf("RESTORED")).toEqual({ alone: false, evidence: "amount" });
  await takeBack("RESTORED", 90n, "2026-10-12");
  expect([await matchOf("RESTORED"), await matchOf("RESTORED_back")]).toEqual([TAKEN_BACK, TAKEN_BACK]);
  expect(await itemOf("2026-10-12", "SAME AMOUNT")).toMatchObject([{ class: "bank_only", amount: "90" }]);
});

test("two credits of one amount keep to their own reversals, at once with a second reading", async () => {
  const day = "2026-10-12";
  await report("ONE", 20n, day);
  await report("TWO", 20n, day);
  await importDay("2026-10-13", 467n, [{ amount: -20n, narration: "OUT" }]);
  expect([await hold("ONE"), await hold("TWO")]).toEqual(["done", "done"]);
  await takeBack("TWO", 20n, "2026-10-13");
  await Promise.all([refresh(), refresh(), refresh()]);
  expect([await matchOf("ONE"), await matchOf("TWO")]).toEqual([HELD, TAKEN_BACK]);
  expect(await itemOf("2026-10-13", "OUT")).toMatchObject([{ class: "bank_only" }]);
});
