import { explainDifference, showDay, type WireResult } from "@collect/contracts";
import { expect, test } from "vitest";
import { addDays } from "../src/domain/calendar.ts";
import { kobo } from "../src/domain/statement.ts";
import { closeDay } from "../src/use-cases/days.ts";
import { ACCOUNT, aDay, FORMATS_OF_DAYS, fileOf } from "./files.ts";
import { CHARGE, type Month, makeMonth, OPENING } from "./month.ts";
import type { Planted } from "./month-faults.ts";
import { useStatements } from "./world.ts";

type Sheet = WireResult<typeof showDay>;
type World = Awaited<ReturnType<typeof useStatements>>;

/** `npm run month` plays a whole month with so many collections. */
const size =
  process.env.MONTH === undefined ? { collections: 1_000, days: 8 } : { collections: Number(process.env.MONTH) };

const KINDS = ["charge", "bank_only", "books_only", "timing"];

test.each([
  { references: "that are ours", hasOwnReferences: false, all: [...KINDS, "different_amount"] },
  { references: "of its own", hasOwnReferences: true, all: KINDS },
])(
  "of a bank's days in four formats, with references $references, every planted difference is found, none is invented, and the days close",
  async ({ hasOwnReferences, all }) => {
    const world = await useStatements();
    const month = makeMonth({ seed: 3, hasOwnReferences, ...size });
    Object.assign(world.known, month);
    await world.declareAccount({ own_references: hasOwnReferences });
    for (const [index, day] of month.days.entries()) {
      const format = FORMATS_OF_DAYS[index % FORMATS_OF_DAYS.length] ?? "camt.053";
      await world.importFile(fileOf(format, [day]), ACCOUNT);
    }
    const sheets: Sheet[] = [];
    for (const { day } of month.days) sheets.push(await world.others.request(showDay, { day }));
    const found = sheets.flatMap(({ day, items }) => items.map((item) => ({ ...item, day })));
    if (process.env.MONTH !== undefined) process.stdout.write(summary(month, found));
    expect(describe(found)).toEqual(describe(month.planted));
    const kinds = new Set(month.planted.map((planted) => planted.class));
    expect(kinds).toEqual(new Set(all));
    const matched = sheets.flatMap(({ accounts }) => accounts.map((account) => account.matched));
    const byAmount = sheets.flatMap(({ accounts }) => accounts.map((account) => account.matched_by_amount));
    expect(Math.min(...matched)).toBeGreaterThan(0);
    expect(byAmount).toEqual(hasOwnReferences ? matched : matched.map(() => 0));
    await decideLast(world, month, sheets);
    for (const [index, sheet] of sheets.entries()) {
      const { opening, closing } = month.days[index] ?? { opening: 0n, closing: 0n };
      expect(sheet.accounts).toMatchObject([{ opening: opening.toString(), closing: closing.toString() }]);
      expect(sheet.ledger.closing).toBe(month.ledger.get(sheet.day)?.toString());
      const closed = await explainAndClose(world, sheet);
      expect(closed).toMatchObject({ state: "closed", items_total: sheet.items_total });
      const booked = OPENING - CHARGE * BigInt(index + 1);
      expect(closed.balance).toMatchObject({ at_banks: closing, in_ledger: BigInt(sheet.ledger.closing) + booked });
      if (index + 1 === sheets.length)
        expect(closed.balance).toMatchObject({ timing: 0n, unbooked: unbookedOf(month) });
    }
  },
);

/** What was planted and is nothing that is booked. Timing comes to nothing by the end. */
const unbookedOf = ({ planted }: Month): bigint =>
  planted.reduce((sum, { class: kind, amount }) => (kind === "charge" ? sum : sum + BigInt(amount)), -OPENING);

/** What the bank has not booked on the last day keeps it open until its next statement. */
async function decideLast(world: World, { days }: Month, sheets: Sheet[]) {
  const last = days.at(-1);
  if (!last) throw new Error("the month has no day");
  await world.importFile(fileOf("camt.053", [aDay(addDays(last.day, 1), last.closing, [])]), ACCOUNT);
  const decided = await world.others.request(showDay, { day: last.day });
  expect(decided.items.map((item) => item.class)).toContain("books_only");
  sheets.splice(-1, 1, decided);
}

/** A reason for each class of the day, of one person, and the closing by another. */
async function explainAndClose(world: World, { day, items }: Sheet) {
  const open = Map.groupBy(
    items.filter(({ settled }) => !settled),
    (item) => item.class,
  );
  for (const [kind, of] of open) {
    const amount = of.reduce((sum, item) => sum + BigInt(item.amount), 0n).toString();
    await world.others.request(explainDifference, { day, item: kind, amount, reason: "as the bank says" });
  }
  // What stood there before is our own money.
  for (const { key: item, amount } of items.filter(({ key }) => key.startsWith("opening:")))
    await world.others.request(explainDifference, { day, item, amount, reason: "our own", own: true });
  return closeDay(world, day, "bola");
}

type Difference = Pick<Planted, "day" | "class"> & { amount: bigint | string };

/** What differs on which day and by how much, in an order that both sides have. */
const describe = (differences: Difference[]) =>
  differences.map(({ day, class: kind, amount }) => `${day} ${kind} ${amount}`).toSorted();

/** Of the whole month: how many, and how many naira together. */
function summary({ incoming, payouts, days, planted }: ReturnType<typeof makeMonth>, found: Difference[]): string {
  const lines = days.reduce((sum, day) => sum + day.lines.length, 0);
  const totals = (of: Difference[] = []) =>
    `${of.length} (${kobo(of.reduce((total, { amount }) => total + BigInt(amount), 0n))})`;
  const seen = Map.groupBy(found, (each) => each.class);
  const classes = [...Map.groupBy<Difference["class"], Difference>(planted, (each) => each.class)].map(
    ([kind, of]) => `${kind}: planted ${totals(of)}, found ${totals(seen.get(kind))}`,
  );
  const size = `${incoming.length} collections, ${payouts.length} payouts, ${lines} lines, ${days.length} days`;
  return `${[size, ...classes].join("\n")}\n`;
}
