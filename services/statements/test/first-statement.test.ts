import { endBankAccount, explainDifference, matchByHand, showDay } from "@collect/contracts";
import { beforeAll, describe, expect, test } from "vitest";
import { closeDay } from "../src/use-cases/days.ts";
import { ACCOUNT, aDay, camtOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

/** What our books have of an account from before its first statement, or after its end: mostly the bank has booked it in no statement of ours. */

const world = await useStatements();
const { others, known } = world;
const DAYS = ["2026-10-01", "2026-10-02", "2026-10-03", "2026-10-04", "2026-10-05"] as const;
const [BEFORE, FIRST, SECOND, THIRD, AFTER] = DAYS;
const LATER = { number: "7777777777", bank: "044" };

function report(id: string, day: string, given: { session_id?: string; bank?: string; amount?: string } = {}): void {
  const [at, bank_transfer_id] = [`${day}T09:00:00.000+00:00`, id.toUpperCase()];
  const row = { intake_id: `int_${id}`, bank_transfer_id, bank: BANK, amount: "5000", paid_at: at, received_at: at };
  known.incoming.push({ ...row, ...given });
}
const importDay = (day: string, opening: bigint, lines: Parameters<typeof aDay>[2], number: string = ACCOUNT) =>
  world.importFile(new TextEncoder().encode(camtOf([aDay(day, opening, lines)]).replaceAll(ACCOUNT, number)));
const show = (day: string) => others.request(showDay, { day });
const itemsOf = async (day: string) =>
  (await show(day)).items.map(({ class: kind, amount, settled }) => `${kind} ${amount}${settled ? " settled" : ""}`);
const session = "1".repeat(30);

beforeAll(async () => {
  await world.declareAccount({ pays_out: false });
  // Ada's is at the bank since the day before. Of Bola's the notification was lost.
  report("ada", BEFORE);
  report("late", BEFORE, { session_id: session, amount: "300" });
  known.ledger.set(BEFORE, 5_300n).set(FIRST, 5_300n).set(SECOND, 5_300n).set(THIRD, 5_300n);
  await importDay(FIRST, 5_000n, [
    { narration: "FROM BOLA", amount: 5_000n },
    { narration: `X ${session}`, amount: 300n },
  ]);
  await importDay(SECOND, 10_300n, []);
});

describe("a payment of the day before an account's first statement", () => {
  test.each([false, true])(
    "does not hide a lost one of its amount, and is matched with its line by an id (references of the bank's own: %s)",
    async (own_references) => {
      await world.declareAccount({ pays_out: false, own_references });
      const sheet = await show(FIRST);
      expect(await itemsOf(FIRST)).toEqual(["bank_only 5000", "timing 300 settled"]);
      expect(sheet.blocked_by).toBe("Lines of the difference without a reason: 1.");
    },
  );

  test("is matched by hand where the bank booked it on that first day", async () => {
    const [item] = (await show(FIRST)).items;
    const lines = [item?.key.replace("line:", "") ?? ""];
    await others.request(matchByHand, { lines, movements: ["int_ada"] });
    // So the opening balance is nothing that our books had.
    expect(await itemsOf(FIRST)).toEqual(["by_hand 5000 settled", "bank_only 5000", "timing 300 settled"]);
    const opening = { day: FIRST, item: `opening:${ACCOUNT}`, amount: "5000", reason: "our own, of the opening" };
    await others.request(explainDifference, { ...opening, own: true });
    expect((await show(FIRST)).blocked_by).toBeNull();
    expect(await closeDay(world, FIRST, "bola")).toMatchObject({ state: "closed" });
  });
});

describe("an account whose first statement is of a later day than those of others", () => {
  beforeAll(async () => {
    await world.declareAccount({ ...LATER, pays_out: false });
    report("eve", SECOND, { bank: LATER.bank, amount: "70" });
    known.ledger.set(SECOND, 5_370n).set(THIRD, 5_370n);
    await importDay(THIRD, 10_300n, []);
    await importDay(THIRD, 70n, [{ narration: "LOST", amount: 70n }], LATER.number);
  });

  test("holds up no day before it: what our books have of it then takes a reason, as it is in the opening balance", async () => {
    expect(await itemsOf(SECOND)).toEqual(["books_only -70"]);
    await others.request(explainDifference, {
      day: SECOND,
      item: "int_eve",
      amount: "-70",
      reason: "in the opening balance",
    });
    expect(await closeDay(world, SECOND, "bola")).toMatchObject({ state: "closed" });
  });

  test("and hides no payment of its first day whose notification was lost, beside its opening balance", async () => {
    expect(await itemsOf(THIRD)).toEqual(["bank_only 70", "bank_only 70"]);
  });

  test("nor does what comes after its end, and is at the account that takes its place", async () => {
    const residue = { residue: "140", reason: "the bank is wound up" };
    await others.request(endBankAccount, { number: LATER.number, last_day: THIRD, ...residue });
    report("zoe", AFTER, { bank: LATER.bank, amount: "70" });
    expect(await itemsOf(THIRD)).toEqual(["bank_only 70", "bank_only 70"]);
    const { rows } = await world.owner.query("select account, match_id from movements where key = 'int_zoe'");
    expect(rows).toEqual([{ account: LATER.number, match_id: null }]);
  });
});
