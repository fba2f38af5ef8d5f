import { explainDifference, type Problem, reopenDay, showDay } from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { bookTotals } from "../src/use-cases/book-totals.ts";
import { closeDay } from "../src/use-cases/days.ts";
import { ACCOUNT, aDay, camtOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

/** What stood in our accounts before their first statements. */

const world = await useStatements();
const { others, known, owner } = world;
const [BEFORE, FIRST, SECOND, THIRD] = ["2026-09-30", "2026-10-01", "2026-10-02", "2026-10-03"];
const [OPENING, OTHER] = [`opening:${ACCOUNT}`, "5555555555"];

const importDay = (account: string, ...given: Parameters<typeof aDay>) =>
  world.importFile(new TextEncoder().encode(camtOf([aDay(...given)]).replaceAll(ACCOUNT, account)));
const show = (day: string) => others.request(showDay, { day });
const itemOf = async (day: string, key: string) => (await show(day)).items.find((item) => item.key === key);
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code, errors }: Problem) => errors?.[0]?.code ?? code,
  );
const explain = (day: string, item: string, amount: string, said: { own?: boolean; charge?: boolean } = {}) =>
  codeOf(others.request(explainDifference, { day, item, amount, reason: "it was there before", ...said }));
const close = (day: string, by = "bola") => codeOf(closeDay(world, day, by));
const book = () => bookTotals(world, "own_funds");
const booked = () =>
  [...known.ownFunds.values()].map(({ day, account, total, version }) => [day, account, Number(total), version]);

function report(id: string, day: string, amount: bigint): void {
  const at = `${day}T09:00:00.000+00:00`;
  const ids = { intake_id: `int_${id}`, bank_transfer_id: id, session_id: id.padStart(30, "0") };
  known.incoming.push({ ...ids, bank: BANK, amount: String(amount), paid_at: at, received_at: at });
  known.ledger.set(day, ([...known.ledger.values()].at(-1) ?? 0n) + amount);
}

beforeAll(async () => {
  await world.declareAccount();
  // Of what our books had before, 200 are in the opening balance, and 100 came a day later.
  report("1", BEFORE, 200n);
  report("2", BEFORE, 100n);
  report("3", FIRST, 40n);
  await importDay(ACCOUNT, FIRST, 1_000n, [
    { amount: 100n, references: ["2"] },
    { amount: 40n, references: ["3"] },
  ]);
  await importDay(ACCOUNT, SECOND, 1_140n, []);
});

test("what stood there before is a line of the first day, less what our books had and the bank did not book later", async () => {
  expect(await show(FIRST)).toMatchObject({
    ...{ difference: "900", ledger: { opening: "300", closing: "340" } },
    accounts: [{ opening: "1000", closing: "1140", booked: "40", difference: "900" }],
    items: [
      {
        ...{ key: OPENING, class: "bank_only", account: ACCOUNT, amount: "800", reason: null },
        what: "the opening balance of 2026-10-01, 10.00, less 2.00 that our books had",
      },
      { class: "timing", amount: "100", settled: true },
    ],
    balance: { at_banks: "1140", in_ledger: "340", difference: "800", timing: "0", unbooked: "800" },
    blocked_by: "Lines of the difference without a reason: 1.",
  });
  expect((await show(SECOND)).items).toEqual([]);
});

test("what the ledger had booked as ours before, as for a database that was lost, is not asked for again", async () => {
  known.ownBefore = 50n;
  expect(await show(FIRST)).toMatchObject({
    ...{ ledger: { booked: "50" }, difference: "850", items: [{ key: OPENING, amount: "750" }, { class: "timing" }] },
    balance: { at_banks: "1140", in_ledger: "390", unbooked: "750" },
  });
  delete known.ownBefore;
});

test("a reason says that it is our own money, and not a charge, and another person closes the day", async () => {
  expect(await close(FIRST)).toBe("conflict");
  expect(await explain(FIRST, OPENING, "799", { own: true })).toBe("not_found");
  expect(await explain(FIRST, OPENING, "800", { charge: true })).toBe("conflict");
  expect(await explain(FIRST, OPENING, "800", { own: true })).toBe("done");
  expect(await itemOf(FIRST, OPENING)).toMatchObject({ is_own: true, explained_by: "tester" });
  expect((await show(FIRST)).balance).toMatchObject({ in_ledger: "1140", difference: "0", unbooked: "0" });
  await book();
  expect([await close(FIRST, "tester"), booked()]).toEqual(["second_person_required", []]);
});

test("once the day is closed it is booked, once, and the ledger has what is at the bank", async () => {
  expect(await close(FIRST)).toBe("done");
  await Promise.all(Array.from({ length: 5 }, book));
  expect(booked()).toEqual([[FIRST, ACCOUNT, 800, 1]]);
  expect(await show(FIRST)).toMatchObject({
    own_funds: [{ account: ACCOUNT, total: "800", booked: true }],
    balance: { at_banks: "1140", difference: "0" },
  });
  expect(await show(SECOND)).toMatchObject({
    ...{ difference: "0", items: [], blocked_by: null },
    balance: { at_banks: "1140", in_ledger: "1140", difference: "0", timing: "0", unbooked: "0" },
  });
  await expect(owner.query("update closings set openings = '{}' where reopened_at is null")).rejects.toThrow(
    /only undone/,
  );
});

test("a reopened day has it again, stays booked until it is closed, and is taken back with a mere reason", async () => {
  await others.request(reopenDay, { day: FIRST, reason: "it was a customer's" });
  await book();
  expect([booked(), (await itemOf(FIRST, OPENING))?.amount]).toEqual([[[FIRST, ACCOUNT, 800, 1]], "800"]);
  expect(await explain(FIRST, OPENING, "800")).toBe("done");
  expect((await show(FIRST)).balance).toMatchObject({ difference: "800", unbooked: "800" });
  expect(await close(FIRST)).toBe("done");
  await book();
  expect(booked()).toEqual([[FIRST, ACCOUNT, 0, 2]]);
});

test("after a restore of this database the ledger keeps it until the day is closed again, and then has it once", async () => {
  await others.request(reopenDay, { day: FIRST, reason: "it was ours" });
  await explain(FIRST, OPENING, "800", { own: true });
  await close(FIRST);
  await book();
  expect(booked()).toEqual([[FIRST, ACCOUNT, 800, 3]]);
  await owner.query("alter table closings disable trigger closings_stay");
  await owner.query("delete from closings");
  await owner.query("delete from booked_own_funds");
  await owner.query("alter table closings enable trigger closings_stay");
  await book();
  expect((await itemOf(FIRST, OPENING))?.amount).toBe("800");
  await close(FIRST);
  await Promise.all([book(), book()]);
  expect(booked()).toEqual([[FIRST, ACCOUNT, 800, 3]]);
});

test("an account whose statements begin later comes in on that day, with all of its balance", async () => {
  await world.declareAccount({ number: OTHER, bank: "044", pays_out: false });
  await importDay(OTHER, SECOND, 70n, []);
  expect(await show(SECOND)).toMatchObject({
    ...{ difference: "70", items: [{ key: `opening:${OTHER}`, amount: "70" }] },
    balance: { at_banks: "1210", in_ledger: "1140", unbooked: "70" },
  });
});

test("what a day was closed without, as by the release before, is on the first open day, and on no later one", async () => {
  await importDay(ACCOUNT, THIRD, 1_140n, []);
  await importDay(OTHER, THIRD, 70n, []);
  const { items, ...sheet } = await show(SECOND);
  const old = { ...sheet, items: items.filter(({ key }) => !key.startsWith("opening:")) };
  await owner.query("insert into closings (day, sheet, closed_by) values ($1, $2, 'bola')", [
    SECOND,
    JSON.stringify(old),
  ]);
  expect(await itemOf(THIRD, `opening:${OTHER}`)).toMatchObject({ amount: "70", reason: null });
  expect(await explain(THIRD, `opening:${OTHER}`, "70", { own: true })).toBe("done");
  expect(await close(THIRD)).toBe("done");
  await book();
  expect(booked()).toEqual([
    [FIRST, ACCOUNT, 800, 3],
    [THIRD, OTHER, 70, 1],
  ]);
  await importDay(ACCOUNT, "2026-10-04", 1_140n, []);
  await importDay(OTHER, "2026-10-04", 70n, []);
  expect(await show("2026-10-04")).toMatchObject({ items: [], balance: { at_banks: "1210", difference: "0" } });
});
