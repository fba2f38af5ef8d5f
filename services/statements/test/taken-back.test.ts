import {
  claimLine,
  claimReturn,
  claimReversal,
  explainDifference,
  getStatementLine,
  listLineOffers,
  listOffers,
  matchByHand,
  type Problem,
  reversalIdOf,
  showDay,
  withdrawStatement,
} from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { addDays } from "../src/domain/calendar.ts";
import { closeDay } from "../src/use-cases/days.ts";
import { ACCOUNT, aDay, camtOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { others, known, owner, refresh } = world;
const DAY = "2026-10-05";
const PAID_INTO = "0123456789";

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code, detail, errors }: Problem) => errors?.[0]?.code ?? `${code}: ${detail}`,
  );
const lineOf = async (narration: string): Promise<string> =>
  (await owner.query("select max(id)::text as id from lines where narration = $1", [narration])).rows[0].id;
const claim = async (narration: string, { amount = "40", reversals = [] as string[] } = {}) =>
  codeOf(
    others.request(claimReversal, { line: await lineOf(narration), account_number: PAID_INTO, amount, reversals }),
  );
const matched = async (narration: string) =>
  (
    await owner.query(
      "select key, evidence from lines join movements using (match_id) join matches on matches.id = match_id where narration = $1",
      [narration],
    )
  ).rows;

let hour = 10;
/** accounts has it from now on: what the bank took back, as it reported or an operator said. */
async function takeBack(intake_id: string, bank_transfer_id: string, given: object = {}): Promise<void> {
  const received_at = `${DAY}T${hour++}:00:00.000+00:00`;
  known.incoming = [
    ...known.incoming,
    { intake_id, bank: BANK, bank_transfer_id, amount: "-40", paid_at: received_at, received_at, ...given },
  ];
  await refresh();
}

/** Of the bank. What has another one is never matched by its amount. */
const session = (unique: number) => `00002321101813374700500000319${unique}`;
const LINES = [
  { amount: -40n, narration: "BACK 1" },
  ...[2, 3, 4, 5].map((n) => ({ amount: -40n, narration: `BACK ${n}`, references: [session(n)] })),
  { amount: -41n, narration: "BACK 6" },
  { amount: 40n, narration: "IN" },
  { amount: -40n, narration: "SMS ALERT", references: ["FT8"] },
];
const FILE = new TextEncoder().encode(camtOf([aDay(DAY, 1_000n, LINES)]));

beforeAll(async () => {
  // What was taken back says BACK, which is another word.
  await world.declareAccount({ charge_words: ["SMS ALERT", "ACK"] });
  await world.importFile(FILE);
  await refresh();
});

test("a line is kept for one reversal, which it is matched with, and is nothing else", async () => {
  expect(await claim("IN")).toBe("line_is_incoming");
  expect(await claim("SMS ALERT")).toBe("line_is_charge");
  const given = { account_number: PAID_INTO, amount: "40" };
  expect(await codeOf(others.request(claimReversal, { ...given, line: "1", reversals: [] }))).toMatch(/^not_found/);
  expect(await Promise.all([claim("BACK 1"), claim("BACK 1")])).toEqual(["done", "done"]);
  const line = await lineOf("BACK 1");
  for (const id of ["B", reversalIdOf(line)])
    expect(await codeOf(others.request(claimLine, { ...given, line, bank_transfer_id: id }))).toMatch(/^conflict/);
  expect(await codeOf(others.request(claimReturn, { ...given, line, reference: "trf_1" }))).toMatch(/^conflict/);
  expect(await codeOf(others.request(withdrawStatement, { account: ACCOUNT, from: DAY, reason: "mistaken" }))).toMatch(
    /^conflict: A line of it was offered/,
  );
  // The act died, and named a wrong transfer: another one takes its place.
  expect(await claim("BACK 1", { amount: "45" })).toBe("done");
  const offer = { bank_transfer_id: reversalIdOf(line), amount: "45", account_number: PAID_INTO, is_reversal: true };
  expect(await others.request(getStatementLine, { line })).toMatchObject({ is_matched: false, offer });
  expect((await others.request(listOffers, { day: DAY })).data).toMatchObject([{ line, ...offer, is_matched: false }]);
  expect((await others.request(listLineOffers, { after: null })).rows).toEqual([]);
  expect(await claim("BACK 1")).toBe("done");
  await takeBack("int_1", reversalIdOf(line));
  expect(await matched("BACK 1")).toEqual([{ key: "int_1", evidence: "reference" }]);
  const { items } = await others.request(showDay, { day: DAY });
  expect(items.map(({ key }) => key)).not.toContain(`line:${line}`);
  // As after a restore of accounts.
  expect(await claim("BACK 1")).toBe("done");
});

test("what the bank reported takes its own line, and no second one is claimed for it", async () => {
  await takeBack("int_5", "REPORTED-5", { session_id: session(9) });
  expect(await claim("BACK 2")).toBe("reversal_is_booked");
  // Of another amount it may be any reversal, but not the second one of this transfer.
  expect(await claim("BACK 6", { amount: "41", reversals: ["int_5"] })).toBe("reversal_is_booked");
  expect(await claim("BACK 6", { amount: "41" })).toBe("done");
  await others.request(matchByHand, { lines: [await lineOf("BACK 5")], movements: ["int_5"] });
  expect(await claim("BACK 5")).toBe("line_is_matched");
  expect(await claim("BACK 2", { reversals: ["int_1", "int_5"] })).toBe("done");
});

test("a line whose act died is that of the bank's report, if that comes first", async () => {
  await takeBack("int_2", "REPORTED-2", { session_id: session(2) });
  expect(await matched("BACK 2")).toEqual([{ key: "int_2", evidence: "session" }]);
  expect(await claim("BACK 2")).toBe("line_is_matched");
});

test("a restore of statements to before the act loses no reversal, and no line is claimed for a second one", async () => {
  expect(await claim("BACK 3")).toBe("done");
  await takeBack("int_3", reversalIdOf(await lineOf("BACK 3")), { session_id: session(3) });
  expect(await matched("BACK 3")).toEqual([{ key: "int_3", evidence: "session" }]);
  await owner.query(`update lines set match_id = null; update movements set match_id = null;
    delete from matches; delete from offers; delete from lines; delete from statements; delete from files`);
  await world.importFile(FILE);
  // What was matched by hand is to be matched again.
  expect(await claim("BACK 4")).toBe("reversal_is_booked");
  await others.request(matchByHand, { lines: [await lineOf("BACK 5")], movements: ["int_5"] });
  expect(await matched("BACK 1")).toEqual([{ key: "int_1", evidence: "amount" }]);
  for (const narration of ["BACK 1", "BACK 2", "BACK 3", "BACK 5"])
    expect(await claim(narration)).toBe("line_is_matched");
  expect(await claim("BACK 4")).toBe("done");
});

test("a line of a closed day is taken back on the first open one, and the closed day stays", async () => {
  const { items } = await others.request(showDay, { day: DAY });
  for (const { key: item, amount, settled } of items)
    if (!settled) await others.request(explainDifference, { day: DAY, item, amount, reason: "the bank is asked" });
  await closeDay({ pool: world.pool, bus: world.bus, refresh }, DAY, "bola");
  const closed = await others.request(showDay, { day: DAY });
  const line = await lineOf("BACK 4");
  expect(closed.items).toContainEqual(expect.objectContaining({ key: `line:${line}`, reason: "the bank is asked" }));
  expect(await claim("BACK 4")).toBe("done");
  await takeBack("int_4", reversalIdOf(line), { session_id: session(4), received_at: "2026-10-07T10:00:00.000+00:00" });
  expect(await matched("BACK 4")).toMatchObject([{ key: "int_4" }]);
  expect(await others.request(showDay, { day: DAY })).toEqual(closed);
});

test("a line of weeks ago finds its reversal, too", async () => {
  const days = Array.from({ length: 35 }, (_, after) => addDays(DAY, after + 1));
  await world.importFile(new TextEncoder().encode(camtOf(days.map((day) => aDay(day, 759n, [])))));
  for (const day of days) {
    const { items } = await others.request(showDay, { day });
    for (const { key: item, amount, settled } of items)
      if (!settled) await others.request(explainDifference, { day, item, amount, reason: "the bank is asked" });
    await closeDay({ pool: world.pool, bus: world.bus, refresh }, day, "bola");
  }
  expect(await claim("BACK 6", { amount: "41" })).toBe("done");
  const received_at = `${addDays(DAY, 36)}T10:00:00.000+00:00`;
  await takeBack("int_6", reversalIdOf(await lineOf("BACK 6")), {
    amount: "-41",
    received_at,
    paid_at: `${DAY}T22:00:00.000+00:00`,
  });
  expect(await matched("BACK 6")).toEqual([{ key: "int_6", evidence: "reference" }]);
}, 120_000);
