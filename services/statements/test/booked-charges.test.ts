import { getBankBalances, reopenDay, showDay } from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { bookTotals } from "../src/use-cases/book-totals.ts";
import { closeDay } from "../src/use-cases/days.ts";
import { ACCOUNT, aDay, fileOf } from "./files.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { others, known, owner } = world;
const [FIRST, SECOND, THIRD] = ["2026-10-01", "2026-10-02", "2026-10-03"];

const importDay = (...given: Parameters<typeof aDay>) => world.importFile(fileOf("camt.053", [aDay(...given)]));
const show = (day: string) => others.request(showDay, { day });
const booked = () => [...known.charges.values()].map(({ day, total, version }) => [day, Number(total), version]);
const fee = (amount: bigint) => ({ amount, narration: "MAINTENANCE FEE" });

/** Gives each line of the difference a reason, by another person than the one who closes. */
async function close(day: string): Promise<void> {
  const reason =
    "insert into explanations values ($1, $2, $3, 'the tariff', 'ada') on conflict (day, item) do update set amount = excluded.amount";
  for (const { key, amount } of (await show(day)).items) await owner.query(reason, [day, key, amount]);
  await closeDay(world, day, "bola");
}

beforeAll(async () => {
  await world.declareAccount();
  await importDay(FIRST, 10_000n, [fee(-30n), fee(-20n)]);
  await importDay(SECOND, 9_950n, []);
  await importDay(THIRD, 9_950n, [fee(-7n)]);
});

test("an open day books nothing, and a closed one the sum of its charges, once, however many book at once", async () => {
  await bookTotals(world, "charges");
  expect([booked(), (await show(FIRST)).charges]).toEqual([[], undefined]);
  await close(FIRST);
  expect((await show(FIRST)).charges).toEqual([{ account: ACCOUNT, total: "50", booked: false }]);
  await Promise.all(Array.from({ length: 10 }, () => bookTotals(world, "charges")));
  await bookTotals(world, "charges");
  expect(booked()).toEqual([[FIRST, 50, 1]]);
  expect((await show(FIRST)).charges).toEqual([{ account: ACCOUNT, total: "50", booked: true }]);
});

test("a process that dies after the ledger has booked, or before, books nothing twice", async () => {
  await owner.query("delete from booked_charges");
  expect((await show(FIRST)).charges).toMatchObject([{ booked: false }]);
  await bookTotals(world, "charges");
  expect([booked(), (await show(FIRST)).charges]).toMatchObject([[[FIRST, 50, 1]], [{ booked: true }]]);
});

test("a ledger that was restored is noticed, and gets them again", async () => {
  known.charges.clear();
  await bookTotals(world, "charges");
  expect(booked()).toEqual([[FIRST, 50, 1]]);
});

test("a line that is booked as a charge is matched with nothing else", async () => {
  const line = "(select min(id) from lines where is_charge)";
  await owner.query(`insert into matches (id, evidence) values (${line}, 'reference')`);
  await expect(owner.query(`update lines set match_id = ${line} where id = ${line}`)).rejects.toThrow(/is closed/);
  await owner.query(`delete from matches where id = ${line}`);
});

test("a reopened day stays booked until it is closed again, with what it comes to then", async () => {
  await others.request(reopenDay, { day: FIRST, reason: "a charge was a payout" });
  await bookTotals(world, "charges");
  expect(booked()).toEqual([[FIRST, 50, 1]]);
  await owner.query("update lines set is_charge = false where amount = -30");
  await close(FIRST);
  await bookTotals(world, "charges");
  expect(booked()).toEqual([[FIRST, 20, 2]]);
  await others.request(reopenDay, { day: FIRST, reason: "the other one as well" });
  await owner.query("update lines set is_charge = false where amount = -20");
  await close(FIRST);
  await bookTotals(world, "charges");
  expect(booked()).toEqual([[FIRST, 0, 3]]);
});

test("a closing by the release before is booked, too, and days are compared one by one", async () => {
  await close(SECOND);
  await close(THIRD);
  await bookTotals(world, "charges");
  expect(booked()).toEqual([
    [FIRST, 0, 3],
    [THIRD, 7, 1],
  ]);
  expect((await show(SECOND)).charges).toEqual([]);
  // It stores a sheet and knows no sums.
  const { rows } = await owner.query("select charge_totals from closings where day = $1", [THIRD]);
  expect(rows).toEqual([{ charge_totals: { [ACCOUNT]: 7 } }]);
  await expect(owner.query("update closings set charge_totals = '{}' where day = $1", [THIRD])).rejects.toThrow(
    /only undone/,
  );
});

test("what the ledger has booked of closed days changes no other day, and one that would not leave it out is refused", async () => {
  await importDay("2026-10-04", 9_943n, []);
  expect(await show("2026-10-04")).toMatchObject({ difference: "0", blocked_by: null });
  const old = {
    ...world.bus,
    request: async (...given: Parameters<typeof world.bus.request>) => {
      const answer = await world.bus.request(...given);
      return given[0].subject === getBankBalances.subject ? Object.assign({}, answer, { charges: undefined }) : answer;
    },
  };
  await expect(closeDay({ ...world, bus: old as typeof world.bus }, "2026-10-04", "bola")).rejects.toMatchObject({
    code: "service_unavailable",
  });
});
