import { explainDifference, matchByHand, type Problem, showDay } from "@collect/contracts";
import { beforeAll, describe, expect, test } from "vitest";
import { bookTotals } from "../src/use-cases/book-totals.ts";
import { closeDay } from "../src/use-cases/days.ts";
import { ACCOUNT, aDay, fileOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

/** What the bank has more of credits than our books: a charge that it shows apart, or the money of a customer whose transfer was never notified. */

const world = await useStatements();
const { others, known, refresh } = world;
const [FIRST, SECOND, THIRD] = ["2026-10-01", "2026-10-02", "2026-10-03"] as const;
const [SETTLEMENT, SMALL, ALONE] = ["SETTLEMENTOFTHREE", "SETTLEMENTOFSMALLONE", "SETTLEMENTOFONEALONE"];

const session = (id: string) => id.padStart(30, "0");
/** ₦100 of which the bank keeps 54 kobo. */
function report(id: string, day: string, given: object = {}): void {
  const at = `${day}T09:00:00.000+00:00`;
  const ids = { intake_id: `int_${id}`, bank_transfer_id: id, session_id: session(id) };
  const row = { ...ids, bank: BANK, amount: "10000", bank_fee: "50", bank_vat: "4", paid_at: at, received_at: at };
  known.incoming.push({ ...row, ...given });
  known.ledger.set(day, ([...known.ledger.values()].at(-1) ?? 0n) + 9_946n);
}
const importDay = (...given: Parameters<typeof aDay>) => world.importFile(fileOf("camt.053", [aDay(...given)]));
const show = (day: string) => others.request(showDay, { day });
const chargesOf = async (day: string) =>
  (await show(day)).items
    .filter((item) => item.class === "different_amount")
    .map(({ amount, charge, is_charge }) => [Number(amount), charge && Number(charge), is_charge])
    .toSorted((a, b) => Number(a[0]) - Number(b[0]) || Number(b[1]) - Number(a[1]));
async function explain(day: string, amount: string, { all = false, charge = true } = {}): Promise<string> {
  const { items } = await show(day);
  const item = all ? "different_amount" : (items.find((each) => each.amount === amount)?.key ?? "");
  const given = { day, item, amount, reason: "a charge, shown apart", charge };
  return others.request(explainDifference, given).then(
    () => "explained",
    ({ code, errors }: Problem) => errors?.[0]?.code ?? code,
  );
}

beforeAll(async () => {
  await world.declareAccount();
  for (const id of ["1", "2", "3"]) report(id, FIRST);
  // Of each settlement one transfer was never notified: of ₦99.46, and of 20 kobo.
  for (const id of ["4", "5"]) report(id, FIRST, { settlement_id: SETTLEMENT });
  for (const id of ["6", "7"]) report(id, FIRST, { settlement_id: SMALL });
  report("8", FIRST, { settlement_id: ALONE });
  await importDay(FIRST, 0n, [
    ...[
      { amount: 10_000n, narration: `X ${session("1")}` },
      { amount: 9_981n, narration: `X ${session("2")}` },
    ],
    { amount: 10_001n, narration: `X ${session("3")}` },
    ...[
      { amount: 3n * 9_946n, references: [SETTLEMENT] },
      { amount: 2n * 9_946n + 20n, references: [SMALL] },
    ],
    { amount: 9_946n + 21n, references: [ALONE] },
  ]);
});

describe("what the bank has more of a transfer", () => {
  test("is a charge up to what it reported to have kept of it, fee and VAT, and refused from there on", async () => {
    expect(await chargesOf(FIRST)).toEqual([
      ...[
        [20, null, false],
        [21, null, false],
        [35, 35, false],
        [54, 54, false],
        [55, null, false],
      ],
      [9_946, null, false],
    ]);
    expect(await explain(FIRST, "55")).toBe("charge_above_reported");
    expect(await explain(FIRST, "54")).toBe("explained");
  });

  test("in one sum is none, however small, as another transfer of it may be missing", async () => {
    expect(await explain(FIRST, "9946")).toBe("charge_above_reported");
    for (const amount of ["20", "21"]) expect(await explain(FIRST, amount)).toBe("charge_in_one_sum");
  });

  test("is none for the others of its class, whose reasons are others, and without one the day stays open", async () => {
    // The sum of all of them, and of those that can be charges.
    expect(await explain(FIRST, String(20 + 21 + 35 + 54 + 55 + 9_946), { all: true })).toBe("not_found");
    expect(await explain(FIRST, String(35 + 54), { all: true })).toBe("explained");
    const isCharge = [35, 54];
    expect((await chargesOf(FIRST)).filter(([, , is]) => is).map(([amount]) => amount)).toEqual(isCharge);
    expect((await show(FIRST)).blocked_by).toBe("Lines of the difference without a reason: 4.");
  });

  test("and was said to be a charge at the release before, which knew no bound, has no reason", async () => {
    const { items } = await show(FIRST);
    const { key } = items.find(({ amount }) => amount === "9946") ?? { key: "" };
    await world.owner.query(
      `insert into explanations (day, item, amount, charge, reason, explained_by) values ($1, $2, 9946, 9946, 'a charge', 'ada')`,
      [FIRST, key],
    );
    expect((await show(FIRST)).items.find((item) => item.key === key)).toMatchObject({
      reason: null,
      is_charge: false,
    });
  });

  test("is booked as one to the kobo, and what is none is not, once the day is closed with reasons", async () => {
    for (const amount of ["20", "21", "55", "9946"])
      expect(await explain(FIRST, amount, { charge: false })).toBe("explained");
    await closeDay(world, FIRST, "bola");
    await bookTotals(world, "charges");
    expect([...known.charges.values()]).toMatchObject([{ account: ACCOUNT, total: -89n }]);
  });
});

describe("of a day that the release before has read, without what the bank kept", () => {
  const generation = async () =>
    (await world.owner.query("select generation from positions where source = 'accounts'")).rows[0].generation;

  test("what accounts has is read again, and what it has no more is no charge, and asked for once", async () => {
    for (const id of ["11", "12"]) report(id, SECOND);
    const lines = ["11", "12"].map((id) => ({ amount: 10_000n, narration: `X ${session(id)}` }));
    await importDay(SECOND, 8n * 9_946n + 9_946n + 20n + 21n + 35n + 54n + 55n, lines);
    expect(await chargesOf(SECOND)).toEqual([
      [54, 54, false],
      [54, 54, false],
    ]);
    const before = await generation();
    await world.owner.query("update movements set kept = null where key in ('int_11', 'int_12')");
    known.incoming = known.incoming.filter(({ intake_id }) => intake_id !== "int_12");
    expect(await chargesOf(SECOND)).toEqual([
      [54, 54, false],
      [54, null, false],
    ]);
    await refresh();
    await show(SECOND);
    expect((await generation()) - before).toBeLessThanOrEqual(2);
    const settled = await generation();
    await refresh();
    await show(SECOND);
    expect(await generation()).toBe(settled);
  });
});

describe("by hand", () => {
  test("several transfers in one line take no charge back, and one with its own line does, up to what was reported", async () => {
    for (const id of ["21", "22", "23"]) report(id, THIRD, { session_id: null });
    const { closing } = (await show(SECOND)).accounts[0] ?? {};
    await importDay(THIRD, BigInt(closing ?? 0), [
      ...[
        { amount: 2n * 9_946n + 30n, narration: "TWO" },
        { amount: 9_946n + 54n, narration: "ONE" },
      ],
    ]);
    const lineOf = async (narration: string): Promise<string> =>
      (await world.owner.query("select id::text from lines where narration = $1", [narration])).rows[0].id;
    const two = { lines: [await lineOf("TWO")], movements: ["int_21", "int_22"] };
    await others.request(matchByHand, { ...two, difference: "30" });
    await others.request(matchByHand, { lines: [await lineOf("ONE")], movements: ["int_23"], difference: "54" });
    expect(await explain(THIRD, "30")).toBe("charge_in_one_sum");
    expect(await explain(THIRD, "54")).toBe("explained");
  });
});
