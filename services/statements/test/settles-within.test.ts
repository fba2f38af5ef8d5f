import { explainDifference, listBankAccounts, type Problem, showDay } from "@collect/contracts";
import { beforeAll, describe, expect, test } from "vitest";
import { countMissing } from "../src/store/missing.ts";
import { closeDay } from "../src/use-cases/days.ts";
import { aDay, camtOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

/** A partner that pays what it received from Friday on out on Tuesday, in one sum. Payouts, and what comes back of them, are booked at once. */

const world = await useStatements();
const { known, others, pool, refresh } = world;
const [FRIDAY, SATURDAY, SUNDAY, MONDAY, TUESDAY] = [
  "2026-10-02",
  "2026-10-03",
  "2026-10-04",
  "2026-10-05",
  "2026-10-06",
] as const;
const [at, SETTLEMENT] = [`${FRIDAY}T18:00:00.000+00:00`, "SETTLEMENTOFAWEEKEND"];

const report = (intake_id: string, amount: string, settlement_id: string | null) =>
  known.incoming.push({
    ...{ intake_id, bank: BANK, bank_transfer_id: `MNFY|${intake_id}`, amount, settlement_id },
    ...{ paid_at: at, received_at: at },
  });
const payOut = (transfer_id: string, amount: string, outcome: "success" | "reversed") => {
  const payee = { bank_code: "058", bank_name: "B", account_number: "0123456789", account_name: "P" };
  known.payouts.push({
    ...{ transfer_id, merchant: { id: "mer_1", mode: "live" }, amount, outcome, completed_at: at },
    ...{ order: { ...payee, merchant_reference: transfer_id, narration: null, created_at: at } },
    reversed_at: outcome === "reversed" ? at : null,
  });
};
const importDay = (...given: Parameters<typeof aDay>) =>
  world.importFile(new TextEncoder().encode(camtOf([aDay(...given)])));
const name = (settles_within?: number) => world.declareAccount(settles_within === undefined ? {} : { settles_within });
const settings = async () => (await others.request(listBankAccounts, {})).accounts.map((each) => each.settles_within);
const show = () => others.request(showDay, { day: FRIDAY });
/** Of Friday: what is missing at the bank, what is under way, and the keys of the alarm. */
async function found() {
  const { items } = await show();
  const of = (kind: string) =>
    items.filter((item) => item.class === kind && !item.settled).map(({ key }) => key.split("_")[1]);
  return [of("books_only").toSorted(), of("timing").toSorted(), (await countMissing(pool)).keys.length];
}
async function explain(): Promise<void> {
  for (const { key: item, amount } of (await show()).items.filter(({ class: kind }) => kind === "books_only"))
    await others.request(explainDifference, { day: FRIDAY, item, amount, reason: "asked the bank" });
}

const RECEIVED = ["a", "b", "lost", "taken"];
const PAID = ["back:reversed", "out"];

beforeAll(async () => {
  await name();
  for (const id of ["a", "b"]) report(`int_${id}`, "1000", SETTLEMENT);
  report("rev_taken", "-400", SETTLEMENT);
  report("int_lost", "1000", null);
  payOut("trf_out", "40", "success");
  payOut("trf_back", "70", "reversed");
  known.ledger.set(FRIDAY, 2_560n);
  await importDay(FRIDAY, 0n, [{ amount: -70n, references: ["trf_back"] }]);
  await importDay(SATURDAY, -70n, []);
});

describe("the setting", () => {
  test("is a day unless it is named: the next day's statement lacks all of it", async () => {
    expect(await settings()).toEqual([1]);
    expect(await found()).toEqual([[...RECEIVED, ...PAID].toSorted(), [], 6]);
  });
  test("counts for what came in and what was taken back of it at once, and not for payouts, nor for their way back", async () => {
    await name(4);
    expect(await found()).toEqual([PAID, RECEIVED, 2]);
  });
  test("is between 1 and 14 whole days, and an earlier release that leaves it out changes nothing", async () => {
    const codes = [0, 15, 1.5].map((days) => name(days).catch(({ code }: Problem) => code));
    expect(await Promise.all(codes)).toEqual(Array(3).fill("validation_failed"));
    for (const days of [14, 1, 4]) {
      await name(days);
      await name();
      expect(await settings()).toEqual([days]);
    }
  });
});

test("the day waits for what its partner settles, with no reason given for it, until the statements cover that day", async () => {
  await importDay(SUNDAY, -70n, []);
  await importDay(MONDAY, -70n, []);
  expect(await found()).toEqual([PAID, RECEIVED, 2]);
  await explain();
  expect((await show()).blocked_by).toBe("The bank's next statements decide on lines of the difference: 4.");
  await name(3);
  expect(await found()).toEqual([[...RECEIVED, ...PAID].toSorted(), [], 6]);
  await name(4);
  expect(await found()).toEqual([PAID, RECEIVED, 2]);
});

test("the settlement has what it names, less what was taken back, and what it lacks is missing from that day on", async () => {
  await importDay(TUESDAY, -70n, [{ amount: 1_600n, references: [SETTLEMENT] }]);
  await refresh();
  expect(await found()).toEqual([["lost", ...PAID].toSorted(), [], 3]);
});

test("a closed day stays as it was closed, whatever is named afterwards", async () => {
  await explain();
  await closeDay(world, FRIDAY, "bola");
  const closed = await show();
  for (const days of [14, 1]) {
    await name(days);
    expect(await show()).toEqual(closed);
    expect(await countMissing(pool)).toEqual({ count: 0, keys: [] });
  }
  known.ledger.set(SATURDAY, 2_560n);
  expect((await others.request(showDay, { day: SATURDAY })).blocked_by).toBeNull();
});
