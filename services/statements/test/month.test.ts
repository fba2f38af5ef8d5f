import { showDay, type WireResult } from "@collect/contracts";
import { expect, test } from "vitest";
import { ACCOUNT, FORMATS_OF_DAYS, fileOf } from "./files.ts";
import { makeMonth, type Planted } from "./month.ts";
import { useStatements } from "./world.ts";

type Sheet = WireResult<typeof showDay>;

/** `MONTH=200000` plays a whole month with so many collections. */
const size =
  process.env.MONTH === undefined ? { collections: 1_000, days: 8 } : { collections: Number(process.env.MONTH) };

test("of a bank's days in four formats every planted difference is found, and none is invented", async () => {
  const world = await useStatements();
  const month = makeMonth({ seed: 3, ...size });
  Object.assign(world.known, month);
  await world.declareAccount();
  for (const [index, day] of month.days.entries()) {
    const format = FORMATS_OF_DAYS[index % FORMATS_OF_DAYS.length] ?? "camt.053";
    await world.importFile(fileOf(format, [day]), ACCOUNT);
  }
  const sheets: Sheet[] = [];
  for (const { day } of month.days) sheets.push(await world.others.request(showDay, { day }));
  const found = sheets.flatMap(({ day, items }) => items.map((item) => ({ ...item, day })));
  expect(describe(found)).toEqual(describe(month.planted));
  const kinds = new Set(month.planted.map((planted) => planted.class));
  expect(kinds).toEqual(new Set(["charge", "bank_only", "books_only", "different_amount", "timing"]));
  for (const [index, sheet] of sheets.entries()) {
    const { opening, closing } = month.days[index] ?? { opening: 0n, closing: 0n };
    expect(sheet.accounts).toMatchObject([{ opening: opening.toString(), closing: closing.toString() }]);
    expect(sheet.ledger.closing).toBe(month.ledger.get(sheet.day)?.toString());
  }
});

/** What differs on which day and by how much, in an order that both sides have. */
const describe = (differences: (Pick<Planted, "day" | "class"> & { amount: bigint | string })[]) =>
  differences.map(({ day, class: kind, amount }) => `${day} ${kind} ${amount}`).toSorted();
