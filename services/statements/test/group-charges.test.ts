import { DAY_ITEMS_MAX, explainDifference, showDay } from "@collect/contracts";
import { expect, test } from "vitest";
import { bookTotals } from "../src/use-cases/book-totals.ts";
import { closeDay } from "../src/use-cases/days.ts";
import { ACCOUNT, aDay, fileOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { others, known } = world;
const DAY = "2026-10-01";
const CREDITS = DAY_ITEMS_MAX + 100;
const KEPT = 54n;
const session = (n: number) => String(n + 1).padStart(30, "0");

test("charges of credits that are in groups are booked once their day is closed, to the kobo", async () => {
  await world.declareAccount();
  const at = `${DAY}T09:00:00.000+00:00`;
  known.incoming = Array.from({ length: CREDITS }, (_, n) => ({
    ...{ intake_id: `int_${n}`, bank: BANK, bank_transfer_id: `c${n}`, session_id: session(n) },
    ...{ amount: "10000", paid_at: at, received_at: at },
  }));
  known.ledger.set(DAY, 10_000n * BigInt(CREDITS));
  const lines = known.incoming.map((_, n) => ({ amount: 10_000n - KEPT, narration: `X ${session(n)}` }));
  await world.importFile(fileOf("camt.053", [aDay(DAY, 0n, lines)]));

  const { items, digest } = await others.request(showDay, { day: DAY });
  const [group] = items;
  expect(group).toMatchObject({ class: "different_amount", count: 1_100, amount: "-59400", charge: "-59400" });
  const all = { day: DAY, item: "different_amount", amount: String(-KEPT * BigInt(CREDITS)), reason: "its tariff" };
  await others.request(explainDifference, { ...all, charge: true, seen: digest });
  expect((await others.request(showDay, { day: DAY })).items[0]).toMatchObject({ key: group?.key, is_charge: true });

  await closeDay(world, DAY, "bola");
  await bookTotals(world, "charges");
  const total = KEPT * BigInt(CREDITS);
  expect([...known.charges.values()]).toMatchObject([{ day: DAY, account: ACCOUNT, total }]);
  expect(await others.request(showDay, { day: DAY })).toMatchObject({
    charges: [{ total: String(total), booked: true }],
  });
});
