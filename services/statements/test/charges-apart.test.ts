import { explainDifference, showDay } from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { bookTotals } from "../src/use-cases/book-totals.ts";
import { closeDay } from "../src/use-cases/days.ts";
import { aDay, fileOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { others, known } = world;
const [FIRST, SECOND, THIRD, FOURTH] = ["2026-10-01", "2026-10-02", "2026-10-03", "2026-10-04"];
const REASON = "the fees of the credits, apart";
const CREDITS = 200;
const NET = 9_946n * BigInt(CREDITS);

const session = (n: number) => String(n + 1).padStart(30, "0");
/** A transfer as the bank reports it, and what our books have of it. */
function report(id: string, day: string, net: bigint, given: object) {
  const at = `${day}T09:00:00.000+00:00`;
  const ids = { intake_id: `int_${id}`, bank_transfer_id: id };
  known.incoming.push({ ...ids, bank: BANK, amount: String(net), paid_at: at, received_at: at, ...given });
  known.ledger.set(day, ([...known.ledger.values()].at(-1) ?? 0n) + net);
}
const importDay = (...given: Parameters<typeof aDay>) => world.importFile(fileOf("camt.053", [aDay(...given)]));
const show = (day: string) => others.request(showDay, { day });
const explain = (day: string, item: string, amount: string, charge?: boolean) =>
  others.request(explainDifference, { day, item, amount, reason: REASON, ...(charge && { charge }) });
const close = async (day: string) => {
  await closeDay(world, day, "bola");
  await bookTotals(world, "charges");
};
/** What the ledger has on the bank, with the charges of closed days. */
function booksOf(day: string): bigint {
  const charged = [...known.charges.values()].reduce((sum, { total }) => sum + total, 0n);
  return (known.ledger.get(day) ?? 0n) - charged;
}

beforeAll(async () => {
  await world.declareAccount();
  for (let n = 0; n < CREDITS; n++)
    report(`c${n}`, FIRST, 9_946n, { session_id: session(n), amount: "10000", bank_fee: "50", bank_vat: "4" });
  await importDay(
    FIRST,
    0n,
    Array.from({ length: CREDITS }, (_, n) => [
      { amount: 10_000n, narration: `X ${session(n)}` },
      { amount: -54n, narration: "MAINTENANCE FEE" },
    ]).flat(),
  );
});

test("charges that the bank reports with its credits and shows on lines of their own are booked once, by one reason for all", async () => {
  const { items, difference } = await show(FIRST);
  expect(difference).toBe("0");
  expect(items.filter(({ charge }) => charge === "54")).toHaveLength(CREDITS);
  await explain(FIRST, "charge", String(-54 * CREDITS));
  await expect(explain(FIRST, "different_amount", "54", true)).rejects.toMatchObject({ code: "not_found" });
  await explain(FIRST, "different_amount", String(54 * CREDITS), true);
  await close(FIRST);
  expect(booksOf(FIRST)).toBe(NET);
  await importDay(SECOND, NET, []);
  expect(await show(SECOND)).toMatchObject({ difference: "0", accounts: [{ closing: String(NET) }], blocked_by: null });
});

test("what the bank kept of a settlement is asked for on its last day, also if the parts of that day differ in nothing", async () => {
  await close(SECOND);
  const settlement = { settlement_id: "SETTLE000000001" };
  report("s1", THIRD, 3_000n, settlement);
  report("s2", FOURTH, 100n, settlement);
  report("s3", FOURTH, 50n, settlement);
  await importDay(THIRD, NET, [{ amount: 2_980n, references: ["SETTLE000000001"] }]);
  await importDay(FOURTH, NET + 2_980n, [{ amount: 150n, references: ["SETTLE000000001"] }]);
  await explain(THIRD, "different_amount", "-20");
  await close(THIRD);
  const sheet = await show(FOURTH);
  expect(sheet).toMatchObject({
    items: [{ class: "different_amount", amount: "0", charge: "-20", reason: null }],
    blocked_by: "Lines of the difference without a reason: 1.",
  });
  await explain(FOURTH, "different_amount", "0", true);
  await close(FOURTH);
  expect(booksOf(FOURTH)).toBe(NET + 3_130n);
});
