import { explainDifference, showDay } from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { closeDay as close } from "../src/use-cases/days.ts";
import { aDay, camtOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

/** What the ledger posts on another day than the one on which it was received. */

const world = await useStatements();
const { known, others, pool, bus, refresh } = world;
const [FIRST, SECOND, THIRD, FOURTH] = ["2026-10-01", "2026-10-02", "2026-10-03", "2026-10-04"] as const;

function report(id: string, received_at: string, amount: bigint, listed_at = received_at): void {
  const ids = { intake_id: `int_${id}`, bank_transfer_id: id, session_id: id.padStart(30, "0") };
  known.incoming.push({ ...ids, bank: BANK, amount: String(amount), paid_at: received_at, received_at, listed_at });
}
const importDay = (day: string, opening: bigint, lines: { id: string; amount: bigint }[]) =>
  world.importFile(
    new TextEncoder().encode(
      camtOf([
        aDay(
          day,
          opening,
          lines.map(({ id, amount }) => ({ amount, sessionId: id.padStart(30, "0") })),
        ),
      ]),
    ),
  );
const show = async (day: string) => {
  const { ledger, items, difference } = await others.request(showDay, { day });
  return { ledger, difference, items: items.map((item) => `${item.class} ${item.amount}`) };
};
const closeDay = (day: string) => close({ pool, bus, refresh }, day, "tunde");

beforeAll(async () => {
  await world.declareAccount();
  report("1", `${FIRST}T22:59:59.900+00:00`, 500n);
  report("2", `${SECOND}T09:00:00.000+00:00`, 30n);
  // The first was posted a moment after midnight in Lagos.
  known.ledger.set(FIRST, 0n).set(SECOND, 530n);
  await importDay(FIRST, 0n, [{ id: "1", amount: 500n }]);
  await importDay(SECOND, 500n, [{ id: "2", amount: 30n }]);
});

test("without the times of a new ledger, money that it posted after midnight is a difference of both days", async () => {
  expect(await show(FIRST)).toMatchObject({ items: ["ledger 500"], ledger: { opening: "0", closing: "0" } });
  expect(await show(SECOND)).toMatchObject({ items: ["ledger -500"], ledger: { opening: "0", closing: "530" } });
});

test("money that the ledger posted after midnight counts on the day on which it was received, and is a difference of none", async () => {
  known.counted = new Map([
    [FIRST, 500n],
    [SECOND, 530n],
  ]);
  expect(await show(FIRST)).toEqual({ difference: "0", items: [], ledger: { opening: "0", closing: "500" } });
  expect(await show(SECOND)).toEqual({ difference: "0", items: [], ledger: { opening: "500", closing: "530" } });
});

test("what reaches our books after its day was closed is on the first open day, in the ledger as in the movements, and the closed day stays", async () => {
  await closeDay(FIRST);
  // The bank took it back, and its credit came only the day after.
  report("3", `${FIRST}T12:00:00.000+00:00`, -7n, `${SECOND}T10:00:00.000+00:00`);
  known.counted?.set(FIRST, 493n).set(SECOND, 523n);
  expect(await show(FIRST)).toMatchObject({ ledger: { opening: "0", closing: "500" } });
  const { ledger, difference, items } = await show(SECOND);
  expect([ledger, difference, items]).toEqual([{ opening: "500", closing: "523" }, "7", ["timing 7"]]);
});

test("what the ledger posts only after a closed day was vouched for without it is the opposite difference of the next one", async () => {
  report("4", `${THIRD}T22:00:00.000+00:00`, 11n);
  await importDay(THIRD, 530n, [
    { id: "3", amount: -7n },
    { id: "4", amount: 11n },
  ]);
  known.counted?.set(THIRD, 523n);
  await closeDay(SECOND);
  expect(await show(THIRD)).toMatchObject({ items: ["ledger 11", "timing -7"] });
  const reason = "The ledger was stopped from 22:50";
  await others.request(explainDifference, { day: THIRD, item: "ledger", amount: "11", reason });
  await closeDay(THIRD);
  known.counted?.set(THIRD, 534n).set(FOURTH, 534n);
  await importDay(FOURTH, 534n, []);
  expect(await show(FOURTH)).toEqual({
    ...{ ledger: { opening: "523", closing: "534" }, difference: "-11", items: ["ledger -11"] },
  });
});
