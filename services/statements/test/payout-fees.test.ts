import { explainDifference, type Problem, showDay } from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { bookTotals } from "../src/use-cases/book-totals.ts";
import { closeDay } from "../src/use-cases/days.ts";
import { ACCOUNT, aDay, fileOf } from "./files.ts";
import type { Month } from "./month.ts";
import { useStatements } from "./world.ts";

/** What a bank takes for a payout in the line that shows it. */

const world = await useStatements();
const { others, known } = world;
const [FIRST, SECOND] = ["2026-10-01", "2026-10-02"];
const [SMALL, LARGE] = ["trf_0000000000000001", "trf_0000000000000002"];

const show = (day: string) => others.request(showDay, { day });
const itemOf = async (amount: string) => {
  const item = (await show(FIRST)).items.find((each) => each.amount === amount);
  if (!item) throw new Error(`no item of ${amount}`);
  return item;
};
const explain = async (amount: string, charge: boolean) => {
  const { key: item } = await itemOf(amount);
  const given = { day: FIRST, item, amount, reason: "its tariff", charge };
  return others.request(explainDifference, given).then(
    () => "done",
    ({ code }: Problem) => code,
  );
};

function payout(transfer_id: string, amount: bigint): Month["payouts"][number] {
  const at = `${FIRST}T09:00:00.000+00:00`;
  const payee = { bank_code: "058", bank_name: "Bank", account_number: "0123456789", account_name: "PAYEE" };
  const order = { ...payee, merchant_reference: transfer_id, narration: null, created_at: at };
  const ends = { outcome: "success" as const, completed_at: at, reversed_at: null };
  return { transfer_id, merchant: { id: "mer_1", mode: "live" }, amount: String(amount), order, ...ends };
}

beforeAll(async () => {
  await world.declareAccount();
  known.payouts = [payout(SMALL, 500_000n), payout(LARGE, 500_000n)];
  known.ledger.set(FIRST, -1_000_000n);
  await world.importFile(
    fileOf("camt.053", [
      aDay(FIRST, 0n, [
        { amount: -501_075n, references: [SMALL] },
        { amount: -510_001n, references: [LARGE] },
      ]),
      aDay(SECOND, -1_011_076n, []),
    ]),
  );
});

test("a payout whose line is up to ₦100 more has the bank's fee in it, and one with more has something else", async () => {
  expect(await itemOf("-1075")).toMatchObject({ class: "different_amount", charge: "-1075", is_charge: false });
  expect(await itemOf("-10001")).toMatchObject({ class: "different_amount", charge: null });
  expect(await explain("-10001", true)).toBe("conflict");
  expect(await explain("-1075", true)).toBe("done");
  expect(await explain("-10001", false)).toBe("done");
});

test("once the day is closed the fee is booked as a charge, once, and what is not booked stays between the ledger and the bank", async () => {
  await closeDay(world, FIRST, "bola");
  await Promise.all(Array.from({ length: 5 }, () => bookTotals(world, "charges")));
  const { charges, balance } = await show(FIRST);
  expect(charges).toEqual([{ account: ACCOUNT, total: "1075", booked: true }]);
  expect([...known.charges.values()].map(({ total, version }) => [Number(total), version])).toEqual([[1_075, 1]]);
  expect(balance).toEqual({
    ...{ at_banks: "-1011076", in_ledger: "-1001075", difference: "-10001", timing: "0", unbooked: "-10001" },
  });
  expect((await show(SECOND)).balance).toEqual(balance);
});
