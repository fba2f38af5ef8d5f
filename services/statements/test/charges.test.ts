import { DAY_ITEMS_MAX, explainDifference, listCharges, showDay } from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { closeDay } from "../src/use-cases/days.ts";
import { ACCOUNT, aDay, fileOf } from "./files.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { others, known } = world;
const [FIRST, SECOND] = ["2026-10-01", "2026-10-02"];
const COUNT = DAY_ITEMS_MAX + 100;

const importDay = (...given: Parameters<typeof aDay>) => world.importFile(fileOf("camt.053", [aDay(...given)]));
const show = (day: string) => others.request(showDay, { day });
const fee = (n: number) => ({ amount: -1n, narration: `MAINTENANCE FEE ${n % 2}` });
const PAYOUT = "trf_0000000000000070";

beforeAll(async () => {
  await world.declareAccount();
  const at = `${FIRST}T09:00:00.000+00:00`;
  const payee = { bank_code: "058", bank_name: "B", account_number: "0123456789", account_name: "P" };
  // Of the same amount as a charge, and without an id on the line: they are matched by the amount.
  known.payouts = [
    {
      ...{ transfer_id: PAYOUT, merchant: { id: "mer_1", mode: "live" }, amount: "70" },
      ...{ order: { ...payee, merchant_reference: "p", narration: null, created_at: at } },
      ...{ outcome: "success", completed_at: at, reversed_at: null },
    },
  ];
  known.ledger.set(FIRST, -70n);
  await importDay(FIRST, 0n, [
    ...Array.from({ length: COUNT }, (_, n) => fee(n)),
    ...[{ amount: -70n, narration: "MAINTENANCE FEE OF THE YEAR" }, { amount: 5n }, { amount: 6n }],
  ]);
});

test("the charges of an account and day are one item, however many, and every other line is one of its own", async () => {
  const { items, items_total, difference, blocked_by } = await show(FIRST);
  expect(items).toMatchObject([
    { class: "bank_only", amount: "5" },
    { class: "bank_only", amount: "6" },
    {
      ...{ key: expect.stringMatching(/^charges:\d+$/), class: "charge", account: ACCOUNT, amount: `-${COUNT}` },
      what: `${COUNT} lines: the largest -0.01 MAINTENANCE FEE 0; MAINTENANCE FEE 1`,
    },
  ]);
  expect([items_total, difference]).toEqual([3, String(11 - COUNT)]);
  expect(blocked_by).toBe("Lines of the difference without a reason: 3.");
});

test("their lines are listed a page at a time, each once, with those that are matched", async () => {
  const pages = [await others.request(listCharges, { day: FIRST, account: ACCOUNT })];
  for (let next = pages[0]?.next; next; next = pages.at(-1)?.next)
    pages.push(await others.request(listCharges, { day: FIRST, account: ACCOUNT, after: next }));
  const lines = pages.flatMap(({ data }) => data);
  expect(pages.map(({ data }) => data.length)).toEqual([1_000, 1_000, 101]);
  expect(new Set(lines.map(({ line }) => line)).size).toBe(COUNT + 1);
  expect(lines.filter(({ is_matched }) => is_matched)).toMatchObject([{ amount: "-70" }]);
  for (const other of [
    { day: SECOND, account: ACCOUNT },
    { day: FIRST, account: "7777777777" },
  ])
    expect(await others.request(listCharges, other)).toEqual({ data: [], next: null });
  await expect(others.request(listCharges, { day: "2026-10-32", account: ACCOUNT })).rejects.toMatchObject({
    code: "validation_failed",
  });
});

test("one reason is for their sum, and a day that is closed with it holds up no other", async () => {
  for (const { key: item, amount } of (await show(FIRST)).items) {
    const explain = (sum: string) =>
      others.request(explainDifference, { day: FIRST, item, amount: sum, reason: "the tariff of the bank" });
    await expect(explain(`${amount}0`)).rejects.toMatchObject({ code: "not_found" });
    await explain(amount);
  }
  expect(await closeDay(world, FIRST, "bola")).toMatchObject({ state: "closed", items_total: 3 });
  known.ledger.set(SECOND, -70n);
  await importDay(SECOND, 11n - 70n - BigInt(COUNT), []);
  expect((await show(SECOND)).blocked_by).toBeNull();
});

test("a charge that it was not closed with, because it was matched by then, stops the next closing once it is loose", async () => {
  const day = "2026-10-03";
  known.ledger.set(day, -70n);
  // The line of the payout itself: what was matched with it by the amount was a charge.
  await importDay(day, 11n - 70n - BigInt(COUNT), [{ amount: -70n, references: [PAYOUT] }]);
  const { blocked_by } = await show(SECOND);
  const { rows } = await world.owner.query("select id::text from lines where narration like '%OF THE YEAR'");
  expect(blocked_by).toBe(
    `Of closed days these are in no match any more, or in one with a payout that failed, and have no reason: line:${rows[0].id}.`,
  );
});

test("the largest of them is named first, however many words the others have", async () => {
  const day = "2026-10-04";
  const lines = Array.from({ length: 50 }, (_, n) => ({ amount: -5n, narration: `SMS ALERT MAINTENANCE FEE ${n}` }));
  await importDay(day, 11n - 140n - BigInt(COUNT), [
    ...lines,
    { amount: -500_000_000n, narration: "MAINTENANCE FEE TO A FRIEND" },
  ]);
  const { items } = await show(day);
  const charges = items.find(({ class: kind }) => kind === "charge");
  expect(charges?.amount).toBe("-500000250");
  expect(charges?.what).toMatch(
    /^51 lines: the largest -5000000\.00 MAINTENANCE FEE TO A FRIEND; SMS ALERT MAINTENANCE FEE 0; SMS ALERT/,
  );
});
