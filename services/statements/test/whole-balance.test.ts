import { explainDifference, showDay } from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { closeDay } from "../src/use-cases/days.ts";
import { ACCOUNT, aDay, fileOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

/** What is at the banks and what the ledger has, as a whole. */

const world = await useStatements();
const { others, known } = world;
const [FIRST, SECOND, THIRD] = ["2026-10-01", "2026-10-02", "2026-10-03"];

const show = (day: string) => others.request(showDay, { day });
function report(id: string, day: string, amount: bigint): void {
  const at = `${day}T09:00:00.000+00:00`;
  const ids = { intake_id: `int_${id}`, bank_transfer_id: id, session_id: id.padStart(30, "0") };
  known.incoming.push({ ...ids, bank: BANK, amount: String(amount), paid_at: at, received_at: at });
  known.ledger.set(day, ([...known.ledger.values()].at(-1) ?? 0n) + amount);
}
async function explainAll(day: string): Promise<void> {
  for (const { key, amount, settled, charge, class: kind, what } of (await show(day)).items) {
    if (settled) continue;
    const said = { ...(charge && { charge: true }), ...(kind === "bank_only" && what !== "LOST" && { own: true }) };
    await others.request(explainDifference, { day, item: key, amount, reason: "as the bank says", ...said });
  }
}
const close = async (day: string) => {
  await explainAll(day);
  return (await closeDay(world, day, "bola")).balance;
};

beforeAll(async () => {
  await world.declareAccount();
  report("1", FIRST, 500n);
  report("2", FIRST, 300n);
  report("3", SECOND, 70n);
  const days = [
    // The second credit is on the next day; of the first the bank kept 10.
    aDay(FIRST, 1_000n, [
      { amount: 490n, references: ["1"] },
      { amount: -25n, narration: "MAINTENANCE FEE" },
      { amount: 2_000n, narration: "TOP UP" },
    ]),
    aDay(SECOND, 3_465n, [
      { amount: 300n, references: ["2"] },
      { amount: 9n, narration: "LOST" },
    ]),
    aDay(THIRD, 3_774n, [{ amount: 70n, references: ["3"] }]),
  ];
  await world.importFile(fileOf("camt.053", days));
});

test("only of the day that is closed next it is known", async () => {
  expect((await show(FIRST)).balance).toBeDefined();
  expect((await show(SECOND)).balance).toBeUndefined();
});

test("with opening balance, charges and own funds booked, the ledger lacks only what is of another day, and then nothing", async () => {
  expect(await close(FIRST)).toEqual({
    ...{ at_banks: 3_465n, in_ledger: 3_765n, difference: -300n, timing: -300n, unbooked: 0n },
  });
  expect((await show(FIRST)).balance).toMatchObject({ difference: "-300" });
});

test("what a person explains and nobody books stays, and is told apart from timing", async () => {
  expect(await close(SECOND)).toEqual({
    ...{ at_banks: 3_774n, in_ledger: 3_835n, difference: -61n, timing: -70n, unbooked: 9n },
  });
  expect(await close(THIRD)).toEqual({
    ...{ at_banks: 3_844n, in_ledger: 3_835n, difference: 9n, timing: 0n, unbooked: 9n },
  });
});

test("a sheet of an earlier release is shown without it", async () => {
  await world.owner.query("alter table closings disable trigger closings_are_undone");
  await world.owner.query("update closings set sheet = sheet - 'balance' where day = $1", [THIRD]);
  await world.owner.query("alter table closings enable trigger closings_are_undone");
  const { balance, accounts } = await show(THIRD);
  expect([balance, accounts[0]?.number]).toEqual([undefined, ACCOUNT]);
});
