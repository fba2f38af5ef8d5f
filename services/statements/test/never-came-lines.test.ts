import { explainDifference, holdMissingCredit, matchByHand, Problem, showDay, undoMatch } from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { closeDay } from "../src/use-cases/days.ts";
import { aDay, camtOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

/** Lines that may be a credit of which a bank's statements seem to have none, or that have it in their sum. */

const world = await useStatements();
const { others, known, owner, pool, bus, refresh } = world;
const [FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH] = [5, 6, 7, 8, 9, 10].map((day) =>
  new Date(Date.UTC(2026, 9, day)).toISOString().slice(0, 10),
) as [string, string, string, string, string, string];
const [SETTLEMENT, UNKNOWN] = ["LB8HG1PNZT4ATJGZXQBY", "ZZ8HG1PNZT4ATJGZXQBY"];
const session = (unique: number) => `00002321101813374700500000319${unique}`;

let balance = 0n;
async function importDay(day: string, lines: Parameters<typeof aDay>[2]): Promise<void> {
  const given = aDay(day, balance, lines);
  balance = given.closing;
  await world.importFile(new TextEncoder().encode(camtOf([given])));
}
async function report(name: string, amount: bigint, given: object = {}, received = FIRST): Promise<void> {
  const at = { paid_at: `${FIRST}T10:00:00.000+00:00`, received_at: `${received}T10:00:00.000+00:00` };
  const row = { intake_id: `int_${name}`, bank: BANK, bank_transfer_id: name, amount: amount.toString(), ...at };
  known.incoming = [...known.incoming, { ...row, ...given }];
  known.ledger.set(received, ([...known.ledger.values()].at(-1) ?? 0n) + amount);
  await refresh();
}
const lineOf = async (narration: string): Promise<string> =>
  (await owner.query("select id::text from lines where narration like $1", [`%${narration}`])).rows[0].id;
async function byHand(narration: string, movement: string, difference = 0n): Promise<string> {
  const given = { lines: [await lineOf(narration)], movements: [`int_${movement}`], difference: difference.toString() };
  return (await others.request(matchByHand, given)).match;
}
/** Whether it is held, or else the lines that are named. */
async function hold(name: string, ...despite: string[]): Promise<string | string[]> {
  const despite_lines = await Promise.all(despite.map(lineOf));
  try {
    await others.request(holdMissingCredit, { intake_id: `int_${name}`, despite_lines });
    return "held";
  } catch (error) {
    const [refused] = (error instanceof Problem && error.errors) || [];
    if (refused?.code !== "line_may_be_credit") return refused?.code ?? String(error);
    const ids = refused.message.match(/\d+/g);
    const { rows } = await owner.query("select narration from lines where id = any($1::bigint[]) order by id", [ids]);
    return rows.map(({ narration }) => narration.split("/").at(-1));
  }
}
async function close(day: string): Promise<void> {
  for (const { key: item, amount, settled, reason } of (await others.request(showDay, { day })).items)
    if (!settled && !reason)
      await others.request(explainDifference, { day, item, amount, reason: "the bank is asked" });
  await closeDay({ pool, bus, refresh }, day, "bola");
}

beforeAll(async () => {
  await world.declareAccount();
  await importDay(FIRST, [
    { amount: 994_600n, narration: "SHORT", references: ["FT1"] },
    { amount: 940_000n, narration: "SHORTER", references: ["FT2"] },
    { amount: 3_000n, narration: "TOP UP", references: ["FT3"] },
    { amount: 500n, narration: "OF SESSION", references: [session(1)] },
    { amount: 20_000n, narration: "OF AMOUNT", references: ["FT4"] },
    { amount: 50_000n, narration: "GROSS", references: ["FT6"] },
  ]);
  await importDay(SECOND, []);
});

test("a line that is short of it by no more than a bank may keep is named, and one that is shorter or larger is not", async () => {
  await report("SHORT", 1_000_000n);
  await report("NEVER", 100_000n);
  expect(await hold("SHORT")).toEqual(["SHORT"]);
  expect(await hold("SHORT", "SHORT")).toBe("held");
  expect(await hold("NEVER")).toBe("held");
});

test("a line of all that was sent is named, whose charge the bank shows in another one", async () => {
  await report("GROSS", 50_000n, { bank_fee: "50", bank_vat: "4" });
  expect((await owner.query("select amount from movements where key = 'int_GROSS'")).rows).toEqual([
    { amount: 49_946n },
  ]);
  expect(await hold("GROSS")).toEqual(["GROSS"]);
  expect(await hold("GROSS", "GROSS")).toBe("held");
});

test("a line with its session is named whatever it is matched with by hand, and has it once that is undone", async () => {
  await report("SESSION", 500n, { session_id: session(1) });
  await report("LARGE", 80_000n);
  expect(await hold("SESSION")).toBe("credit_is_matched");
  const match = await byHand("OF SESSION", "LARGE", -79_500n);
  expect(await hold("SESSION")).toEqual(["OF SESSION"]);
  expect(await hold("SESSION", "OF SESSION")).toBe("held");
  await owner.query("update matches set made_at = clock_timestamp() - interval '11 minutes' where id < 0");
  await others.request(undoMatch, { match, reason: "it is another one" });
  await refresh();
  expect(await hold("SESSION")).toBe("credit_is_matched");
});

test("a line of its amount is named although one operator has matched it by hand with another transfer", async () => {
  await report("AMOUNT", 20_000n);
  await report("OTHER", 20_000n);
  await byHand("OF AMOUNT", "OTHER");
  expect(await hold("AMOUNT")).toEqual(["OF AMOUNT"]);
  expect(await hold("AMOUNT", "OF AMOUNT")).toBe("held");
});

test("where the account settles in sums each larger line in no match is named", async () => {
  await importDay(THIRD, []);
  expect(await hold("NEVER")).toBe("held");
  await world.declareAccount({ settles_within: 2 });
  expect(await hold("NEVER")).toEqual(["SHORT", "SHORTER"]);
  expect(await hold("NEVER", "SHORT", "SHORTER")).toBe("held");
  await world.declareAccount({ settles_within: 1 });
  expect(await hold("NEVER")).toBe("held");
});

test("what one operator calls our own funds is named until another one has closed the day with it", async () => {
  await report("OWN", 3_000n);
  const item = `line:${await lineOf("TOP UP")}`;
  const given = { day: FIRST, item, amount: "3000", reason: "by treasury" };
  await others.request(explainDifference, { ...given, own: true });
  expect(await hold("OWN")).toEqual(["TOP UP"]);
  expect(await hold("OWN", "TOP UP")).toBe("held");
  await close(FIRST);
  expect(await hold("OWN")).toBe("held");
});

test("the line of its settlement is named, whether it is matched with the other payments or, by hand, with anything else", async () => {
  await report("PAID", 985_000n, { settlement_id: SETTLEMENT }, SECOND);
  await importDay(FOURTH, [
    { amount: 1_970_000n, narration: "SETTLEMENT", references: [SETTLEMENT] },
    { amount: 400_000n, narration: `MONNIFY ${UNKNOWN}/HIDDEN`, references: ["FT5"] },
  ]);
  for (const day of [SECOND, THIRD, FOURTH]) await close(day);
  await report("UNPAID", 985_000n, { settlement_id: SETTLEMENT }, FIFTH);
  await report("ANY", 400_000n, {}, FIFTH);
  await byHand("HIDDEN", "ANY");
  await report("HIDDEN", 600_000n, { settlement_id: UNKNOWN }, FIFTH);
  await importDay(FIFTH, []);
  await importDay(SIXTH, []);
  expect(await hold("UNPAID", "SHORT", "SHORTER")).toEqual(["SETTLEMENT"]);
  expect(await hold("UNPAID", "SHORT", "SHORTER", "SETTLEMENT")).toBe("held");
  expect(await hold("HIDDEN", "SHORT", "SHORTER")).toEqual(["HIDDEN"]);
  expect(await hold("HIDDEN", "SHORT", "SHORTER", "HIDDEN")).toBe("held");
});
