import { claimLine, listBankAccounts, matchByHand, type Problem, showDay } from "@collect/contracts";
import { beforeAll, describe, expect, test } from "vitest";
import { readOpen } from "../src/store/matches.ts";
import { closeDay } from "../src/use-cases/days.ts";
import { ACCOUNT, aDay, camtOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

/** A bank whose lines name only references of its own. */

const world = await useStatements();
const { others, known, owner, refresh, pool } = world;
const [FIRST, SECOND, THIRD, FOURTH] = ["2026-10-01", "2026-10-05", "2026-10-10", "2026-10-15"] as const;

let balance = 0n;
const importDay = (day: string, amounts: Record<string, bigint>, number: number) => {
  const lines = Object.entries(amounts).map(([name, amount]) => ({ amount, references: [`FT${name}`] }));
  const taken = aDay(day, balance, lines, number);
  balance = taken.closing;
  return world.importFile(new TextEncoder().encode(camtOf([taken])));
};
/** A transfer with a session of its own, which accounts reports and the ledger has booked. */
function report(id: string, day: string, amount: bigint) {
  const at = `${day}T09:00:00.000+00:00`;
  const ids = { intake_id: `int_${id}`, bank_transfer_id: `BNK${id}`, session_id: id.padStart(30, "0") };
  known.incoming.push({ ...ids, bank: BANK, amount: amount.toString(), paid_at: at, received_at: at });
  known.ledger.set(day, ([...known.ledger.values()].at(-1) ?? 0n) + amount);
}
const name = (given: object = {}) => world.declareAccount({ own_references: true, ...given });
const show = (day: string) => others.request(showDay, { day });
/** What differs, and how many lines were matched, and by the amount. */
async function differences(day: string) {
  const { items, accounts } = await show(day);
  const [account] = accounts;
  const found = items.map(({ class: kind, amount }) => `${kind} ${amount}`).toSorted();
  return [found, account?.matched, account?.matched_by_amount];
}
/** Each line's reference, with what it is matched with. */
async function matches(day: string) {
  await refresh();
  const { rows } = await owner.query(
    `select refs[1] as line, evidence, (select array_agg(key) from movements where match_id = lines.match_id) as keys
     from lines left join matches on matches.id = match_id where booked_on = $1 order by lines.id`,
    [day],
  );
  return rows.map(({ line, evidence, keys }) => [line, evidence, keys?.join()]);
}
const lineOf = async (reference: string): Promise<string> =>
  (await owner.query("select id::text from lines where refs[1] = $1", [reference])).rows[0].id;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code }: Problem) => code,
  );

beforeAll(() => world.declareAccount());

describe("the setting", () => {
  const UNKNOWN = [["bank_only 100", "bank_only 70", "books_only -100", "books_only -70"], 0, 0];
  test("is off unless it is named, and an earlier release that leaves it out changes nothing", async () => {
    report("1", FIRST, 100n);
    report("2", FIRST, 70n);
    await importDay(FIRST, { a: 100n, b: 70n }, 1);
    await importDay("2026-10-02", {}, 2);
    expect(await differences(FIRST)).toEqual(UNKNOWN);
    const isSet = async () => (await others.request(listBankAccounts, {})).accounts.map((each) => each.own_references);
    expect(await isSet()).toEqual([false]);
    await Promise.all([name(), name()]);
    await world.declareAccount();
    expect(await isSet()).toEqual([true]);
  });
  test("matches what is open anew, and back, as often as it is changed", async () => {
    const all = [[], 2, 2];
    for (const own_references of [true, false, true]) {
      await name({ own_references });
      expect(await differences(FIRST)).toEqual(own_references ? all : UNKNOWN);
      expect(await differences(FIRST)).toEqual(own_references ? all : UNKNOWN);
    }
  });
  test("changes nothing that a day was closed with", async () => {
    await closeDay(world, FIRST, "bola");
    const closed = [
      ["FTa", "amount", "int_1"],
      ["FTb", "amount", "int_2"],
    ];
    for (const own_references of [false, true]) {
      await name({ own_references });
      expect(await matches(FIRST)).toEqual(closed);
      expect(await show(FIRST)).toMatchObject({ state: "closed", accounts: [{ matched: 2, matched_by_amount: 2 }] });
    }
    await closeDay(world, "2026-10-02", "bola");
  });
});

describe("equal amounts", () => {
  test("are matched by no one but a person, who is shown both sides of each", async () => {
    for (const day of ["2026-10-03", "2026-10-04"]) {
      await importDay(day, {}, Number(day.slice(-2)));
      await closeDay(world, day, "bola");
    }
    report("3", SECOND, 50n);
    report("4", SECOND, 50n);
    report("5", SECOND, 60n);
    await importDay(SECOND, { c: 50n, d: 50n, e: 60n }, 5);
    await importDay("2026-10-06", {}, 6);
    const both = ["bank_only 50", "bank_only 50", "books_only -50", "books_only -50"];
    expect(await differences(SECOND)).toEqual([both, 1, 1]);
    await others.request(matchByHand, { lines: [await lineOf("FTc")], movements: ["int_4"] });
    // What is left is the only one.
    expect(await matches(SECOND)).toEqual([
      ["FTc", "hand", "int_4"],
      ["FTd", "amount", "int_3"],
      ["FTe", "amount", "int_5"],
    ]);
  });
  test("that come later take a match of an open day back", async () => {
    report("6", "2026-10-06", 60n);
    await importDay("2026-10-07", {}, 7);
    expect((await matches(SECOND)).at(-1)).toEqual(["FTe", null, undefined]);
    expect(await differences(SECOND)).toEqual([["bank_only 60", "books_only -60", "by_hand 0"], 2, 1]);
    await others.request(matchByHand, { lines: [await lineOf("FTe")], movements: ["int_5"] });
    expect(await differences("2026-10-06")).toEqual([["books_only -60"], 0, 0]);
  });
});

describe("a lost notification and a credit that the bank never booked, of one amount and no other one of it", () => {
  test("are taken for one transfer: no difference is left, and the sheet says how many lines have only the amount", async () => {
    report("unbooked", THIRD, 90n);
    for (const day of ["08", "09"]) await importDay(`2026-10-${day}`, {}, Number(day));
    await importDay(THIRD, { lost: 90n }, 10);
    await importDay("2026-10-11", {}, 11);
    expect(await differences(THIRD)).toEqual([[], 1, 1]);
    expect(await matches(THIRD)).toEqual([["FTlost", "amount", "int_unbooked"]]);
  });
  test("cannot be credited twice by an offer of the line, which is for another payer", async () => {
    const offer = { bank_transfer_id: "BNKlost", account_number: "0000000017", amount: "90" };
    expect(await codeOf(others.request(claimLine, { line: await lineOf("FTlost"), ...offer }))).toBe("conflict");
  });
  test("come apart once the bank repeats the lost notification, and a person says which it is", async () => {
    report("lost", "2026-10-11", 90n);
    expect(await matches(THIRD)).toEqual([["FTlost", null, undefined]]);
    await others.request(matchByHand, { lines: [await lineOf("FTlost")], movements: ["int_lost"] });
    await importDay("2026-10-12", {}, 12);
    const { items } = await show(THIRD);
    expect(items).toContainEqual(expect.objectContaining({ key: "int_unbooked", class: "books_only" }));
  });
});

test("a line that was offered waits for what is credited under the id of the offer", async () => {
  for (const day of ["13", "14"]) await importDay(`2026-10-${day}`, {}, Number(day));
  await importDay(FOURTH, { offered: 30n }, 15);
  await importDay("2026-10-16", {}, 16);
  const offer = { bank_transfer_id: "BNKoffer", account_number: "0000000017", amount: "30" };
  await others.request(claimLine, { line: await lineOf("FToffered"), ...offer });
  report("other", FOURTH, 30n);
  expect(await matches(FOURTH)).toEqual([["FToffered", null, undefined]]);
  report("offer", FOURTH, 30n);
  expect(await matches(FOURTH)).toEqual([["FToffered", "reference", "int_offer"]]);
});

test("a match that is on two days says on both that it is by the amount", async () => {
  report("late", "2026-10-17", 20n);
  await importDay("2026-10-17", {}, 17);
  await importDay("2026-10-18", { late: 20n }, 18);
  const late = { class: "timing", settled: true, by_amount: true };
  expect((await show("2026-10-17")).items).toMatchObject([{ ...late, amount: "-20" }]);
  expect((await show("2026-10-18")).items).toMatchObject([{ ...late, amount: "20" }]);
});

test("of what is open, the first day of which nothing is left out is known", async () => {
  const all = await readOpen(pool, ACCOUNT, 1_000);
  expect([all.isAll, all.allFrom]).toEqual([true, undefined]);
  const some = await readOpen(pool, ACCOUNT, 1);
  expect([some.isAll, some.allFrom]).toEqual([false, expect.any(String)]);
});
