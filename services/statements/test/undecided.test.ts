import { explainDifference, type Problem, showDay, type WireResult } from "@collect/contracts";
import { expect, test } from "vitest";
import { closeDay } from "../src/use-cases/days.ts";
import { aDay, camtOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

const DAY = "2026-10-05";
const at = `${DAY}T09:00:00.000+00:00`;

test("no loss is hidden by a day that was closed while it looked like a delay", async () => {
  const world = await useStatements();
  const { others, known } = world;
  const importDay = (...given: Parameters<typeof aDay>) =>
    world.importFile(new TextEncoder().encode(camtOf([aDay(...given)])));
  const show = (day: string) => others.request(showDay, { day });
  type Item = WireResult<typeof showDay>["items"][number];
  const explain = ({ key: item, amount }: Pick<Item, "key" | "amount">) =>
    others
      .request(explainDifference, { day: DAY, item, amount, reason: "on its way" })
      .catch(({ code }: Problem) => code);
  const payee = { bank_code: "058", bank_name: "B", account_number: "0123456789", account_name: "P" };
  const payout: (typeof known.payouts)[number] = {
    ...{ transfer_id: "trf_0000000000000001", merchant: { id: "mer_1", mode: "live" }, amount: "40" },
    ...{ order: { ...payee, merchant_reference: "p", narration: null, created_at: at } },
    ...{ outcome: null, completed_at: null, reversed_at: null },
  };
  known.payouts = [payout];
  known.incoming = [
    { intake_id: "int_A", bank: BANK, bank_transfer_id: "A", amount: "9", paid_at: at, received_at: at },
  ];
  known.ledger.set(DAY, 9n);
  await world.declareAccount();
  await importDay(DAY, 0n, [{ amount: -40n, references: [payout.transfer_id] }]);

  const [taken, late] = (await show(DAY)).items.toSorted((a, b) => (a.key > b.key ? -1 : 1));
  if (!taken || !late) throw new Error("the day has two lines");
  expect([taken, late]).toMatchObject([
    { class: "timing", amount: "-40", settled: false },
    { key: "int_A", class: "timing", amount: "-9", settled: false },
  ]);
  // What our books have is a delay or a loss, which the next statement says.
  expect(await explain(late)).toBe("not_found");
  await explain({ key: "timing", amount: "-40" });
  expect((await show(DAY)).blocked_by).toBe("The bank's next statements decide on lines of the difference: 1.");
  await importDay("2026-10-06", -40n, [{ amount: 9n, references: ["A"] }]);
  await closeDay(world, DAY, "bola");

  known.payouts = [{ ...payout, outcome: "failed", completed_at: at }];
  expect((await show("2026-10-06")).blocked_by).toBe(
    `Of closed days these are in no match any more, or in one with a payout that failed, and have no reason: ${taken.key}.`,
  );
});
