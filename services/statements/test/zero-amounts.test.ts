import { explainDifference, showDay } from "@collect/contracts";
import { beforeAll, describe, expect, test } from "vitest";
import { closeDay } from "../src/use-cases/days.ts";
import { aDay, type BankLine, fileOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

/** Banks write entries of 0.00: a fee that they waive, or a note. */

const world = await useStatements();
const { others, known } = world;
const [FIRST, SECOND] = ["2026-10-01", "2026-10-02"] as const;
const amountsOf = async (day: string) =>
  (await world.owner.query("select amount from lines where booked_on = $1 order by id", [day])).rows.map(({ amount }) =>
    Number(amount),
  );
const show = (day: string) => others.request(showDay, { day });
const explain = (day: string, item: string, amount: string) =>
  others.request(explainDifference, { day, item, amount, reason: "as the bank says" });

beforeAll(() => world.declareAccount());

describe.each([
  { format: "camt.053" as const, day: FIRST },
  { format: "mt940" as const, day: SECOND },
])("an entry of 0.00 in $format", ({ format, day }) => {
  const part = (amount: bigint) => ({ amount, references: [], sessionId: null, narration: "PART" });
  const lines: Partial<BankLine>[] = [
    ...[{ amount: 0n, narration: "SMS ALERT WAIVED", references: ["NOTE"] }, { amount: 40n }],
    { amount: -40n, parts: [part(-30n), part(0n), part(-10n)] },
  ];
  const file = fileOf(format, [aDay(day, 0n, lines)]);

  test("is no line, alone or in a batch, and the file proves its balances, and is the same when it comes again", async () => {
    const [statement] = (await world.importFile(file)).statements;
    expect(statement).toMatchObject({ opening: "0", closing: "0" });
    expect(await world.importFile(file)).toMatchObject({ is_new: false, statements: [statement] });
    expect(await amountsOf(day)).toEqual([40, -30, -10]);
    expect(await show(day)).toMatchObject({ accounts: [{ lines: 3, matched: 0 }] });
  });
});

test("a line of 0.00 that the release before stored is in no match, takes no reason and stops no later closing", async () => {
  await world.owner.query(
    `insert into lines (statement_id, position, account, booked_on, value_on, amount, refs, narration, is_charge)
     select id, 99, account, from_on, from_on, 0, '{NOTE}', 'SMS ALERT WAIVED', false from statements where from_on = $1`,
    [FIRST],
  );
  const at = `${FIRST}T09:00:00.000+00:00`;
  known.incoming.push({
    ...{ intake_id: "int_NOTE", bank: BANK, bank_transfer_id: "NOTE", amount: "25", paid_at: at, received_at: at },
  });
  known.ledger.set(FIRST, 25n);
  const { items, accounts } = await show(FIRST);
  expect(items.map(({ class: kind, amount }) => `${kind} ${amount}`).toSorted()).toEqual([
    ...["bank_only -10", "bank_only -30", "bank_only 40", "books_only -25"],
  ]);
  expect(accounts).toMatchObject([{ lines: 3 }]);
  await explain(FIRST, "bank_only", "0");
  await explain(FIRST, "books_only", "-25");
  await closeDay(world, FIRST, "bola");
  expect((await show(SECOND)).blocked_by).toBe("Lines of the difference without a reason: 3.");
  await explain(SECOND, "bank_only", "0");
  expect(await closeDay(world, SECOND, "bola")).toMatchObject({ state: "closed" });
});
