import { explainDifference, showDay } from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { bookTotals } from "../src/use-cases/book-totals.ts";
import { closeDay } from "../src/use-cases/days.ts";
import { ACCOUNT, aDay, fileOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { others, known } = world;
const [FIRST, SECOND, THIRD] = ["2026-10-01", "2026-10-02", "2026-10-03"];
const REASON = "its tariff, reported late";

const session = (id: string) => id.padStart(30, "0");
/** A transfer that was reported without charges, and how much the ledger has at the end of the day by then. */
function report(id: string, day: string, amount: bigint) {
  const at = `${day}T09:00:00.000+00:00`;
  const ids = { intake_id: `int_${id}`, bank_transfer_id: id, session_id: session(id) };
  known.incoming.push({ ...ids, bank: BANK, amount: amount.toString(), paid_at: at, received_at: at });
  known.ledger.set(day, ([...known.ledger.values()].at(-1) ?? 0n) + amount);
}
const importDay = (...given: Parameters<typeof aDay>) => world.importFile(fileOf("camt.053", [aDay(...given)]));
const show = (day: string) => others.request(showDay, { day });
const itemOf = async (day: string, amount: string) => {
  const item = (await show(day)).items.find((each) => each.amount === amount);
  if (!item) throw new Error(`no item of ${amount}`);
  return item;
};
async function explain(day: string, amount: string, charge?: boolean): Promise<void> {
  const { key: item } = await itemOf(day, amount);
  await others.request(explainDifference, { day, item, amount, reason: REASON, ...(charge && { charge }) });
}
const close = async (day: string) => {
  const sheet = await closeDay(world, day, "bola");
  await bookTotals(world, "charges");
  return sheet;
};
const booked = (day: string) => known.charges.get(`${day} ${ACCOUNT}`)?.total;

beforeAll(async () => {
  await world.declareAccount();
  report("1", FIRST, 10_000n);
  report("2", FIRST, 5_000n);
  report("3", FIRST, 3_000n);
  report("4", SECOND, 100n);
  // Of the first the bank kept 54, of the second nothing, but 7 are too many; the third comes on the next day.
  await importDay(FIRST, 0n, [
    { amount: 9_946n, narration: `X ${session("1")}` },
    { amount: 5_007n, narration: `X ${session("2")}` },
    { amount: -40n, narration: "MAINTENANCE FEE" },
  ]);
  await importDay(SECOND, 14_913n, [
    { amount: 2_980n, narration: `X ${session("3")}` },
    { amount: 90n, narration: `X ${session("4")}` },
  ]);
});

test("only a different amount of credits can be a charge, and only once all of the match is known", async () => {
  const candidates = (await show(FIRST)).items.map(({ amount, charge }) => [amount, charge]);
  expect(candidates.toSorted()).toEqual(
    [
      ["-54", "-54"],
      // What the bank did not report it cannot give back.
      ["7", null],
      ["-40", null],
      // Its line is on the next day, which says how much the bank kept.
      ["-3000", null],
    ].toSorted(),
  );
  for (const amount of ["7", "-40", "-3000"])
    await expect(explain(FIRST, amount, true)).rejects.toMatchObject({ code: "conflict" });
  await expect(
    others.request(explainDifference, {
      ...{ day: FIRST, item: "different_amount", amount: "-3047", reason: REASON, charge: true },
    }),
  ).rejects.toMatchObject({ code: "not_found" });
});

test("a late charge is booked with the account's own, and other differences are not", async () => {
  await explain(FIRST, "-54", true);
  for (const amount of ["7", "-40", "-3000"]) await explain(FIRST, amount);
  expect(await itemOf(FIRST, "-54")).toMatchObject({ is_charge: true, reason: REASON });
  expect(await itemOf(FIRST, "7")).toMatchObject({ is_charge: false });
  await close(FIRST);
  expect(booked(FIRST)).toBe(94n);
});

test("of a match on two days the whole difference is a charge of the last one", async () => {
  expect(await itemOf(SECOND, "2980")).toMatchObject({ class: "different_amount", charge: "-20" });
  await explain(SECOND, "2980", true);
  // Said first, and taken back by a reason without it.
  await explain(SECOND, "-10", true);
  await explain(SECOND, "-10");
  expect(await itemOf(SECOND, "-10")).toMatchObject({ is_charge: false });
  await explain(SECOND, "-10", true);
  await close(SECOND);
  expect(booked(SECOND)).toBe(30n);
});

test("with its charges the ledger has what is at the bank, but for what persons said is none", async () => {
  await importDay(THIRD, 17_983n, []);
  const { accounts, ledger, difference } = await show(THIRD);
  const charged = [...known.charges.values()].reduce((sum, { total }) => sum + total, 0n);
  expect([difference, Number(accounts[0]?.closing) - Number(ledger.closing) + Number(charged)]).toEqual(["0", 7]);
});

test("a reason for a charge of another sum than the match has does not count", async () => {
  const day = "2026-10-04";
  report("5", day, 1_000n);
  await importDay(day, 17_983n, [{ amount: 990n, narration: `X ${session("5")}` }]);
  await close(THIRD);
  await explain(day, "-10", true);
  await world.owner.query("update explanations set charge = -11 where day = $1", [day]);
  expect(await show(day)).toMatchObject({
    items: [{ reason: null, is_charge: false }],
    blocked_by: "Lines of the difference without a reason: 1.",
  });
});
