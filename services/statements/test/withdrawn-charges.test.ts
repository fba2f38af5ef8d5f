import { removeBankAccount, reopenDay, withdrawStatement } from "@collect/contracts";
import { expect, test } from "vitest";
import { bookTotals } from "../src/use-cases/book-totals.ts";
import { ACCOUNT, aDay, camtOf } from "./files.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { others, known, owner } = world;
const [FIRST, UNKNOWN, SECOND] = ["2026-10-01", "2026-10-02", "2026-10-03"];
const OTHER = "5555555555";
const reason = "not our account";

const importDay = (account: string, ...given: Parameters<typeof aDay>) =>
  world.importFile(new TextEncoder().encode(camtOf([aDay(...given)]).replaceAll(ACCOUNT, account)));
const rowsOf = (of: typeof known.charges) =>
  [...of.values()].map(({ day, total, version }) => [day, Number(total), version]);
const booked = () => rowsOf(known.charges);
const fee = (amount: bigint) => ({ amount, narration: "MAINTENANCE FEE" });
const bookAll = () => Promise.all([bookTotals(world, "charges"), bookTotals(world, "own_funds")]);
/** As another person closes it, without what has to be seen for that: with a charge, and a top-up of ten times as much. */
const close = (day: string, account: string, charge: number) => {
  const own = { key: "line:1", class: "bank_only", account, amount: String(10 * charge), is_own: true };
  const items = [{ key: "charges:1", class: "charge", account, amount: String(-charge) }, own];
  return owner.query("insert into closings (day, sheet, closed_by) values ($1, $2, 'bola')", [
    day,
    JSON.stringify({ items }),
  ]);
};

test("the charges and own funds of an account that was named by mistake are taken back once statements begin after them", async () => {
  await world.declareAccount();
  await importDay(ACCOUNT, FIRST, 0n, [fee(-30n)]);
  await close(FIRST, ACCOUNT, 30);
  await bookAll();
  expect(booked()).toEqual([[FIRST, 30, 1]]);
  await others.request(reopenDay, { day: FIRST, reason });
  await others.request(withdrawStatement, { account: ACCOUNT, from: FIRST, reason });
  await others.request(removeBankAccount, { number: ACCOUNT, reason });
  await bookAll();
  // Without any statement it is open whether the day is closed again.
  expect(booked()).toEqual([[FIRST, 30, 1]]);
  await world.declareAccount({ number: OTHER });
  await importDay(OTHER, SECOND, 0n, [fee(-7n)]);
  await Promise.all([bookAll(), bookAll(), bookAll()]);
  await close(SECOND, OTHER, 7);
  await bookAll();
  expect(booked()).toEqual([
    [FIRST, 0, 2],
    [SECOND, 7, 1],
  ]);
  expect(rowsOf(known.ownFunds)).toEqual([
    [FIRST, 0, 2],
    [SECOND, 70, 1],
  ]);
});

test("what the ledger has of a day that this database has never closed is left alone", async () => {
  const before = { day: UNKNOWN, account: ACCOUNT, total: 5n, version: 1 };
  known.charges.set(`${UNKNOWN} ${ACCOUNT}`, before);
  await bookAll();
  expect(known.charges.get(`${UNKNOWN} ${ACCOUNT}`)).toEqual(before);
});

test("a day before all statements that is closed after all is booked with what it comes to", async () => {
  await close(FIRST, OTHER, 4);
  await bookAll();
  expect(known.charges.get(`${FIRST} ${OTHER}`)).toMatchObject({ total: 4n });
  expect(known.charges.get(`${FIRST} ${ACCOUNT}`)).toMatchObject({ total: 0n, version: 2 });
});
