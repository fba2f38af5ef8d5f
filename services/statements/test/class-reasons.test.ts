import { explainDifference, showDay } from "@collect/contracts";
import { expect, test } from "vitest";
import { closeDay } from "../src/use-cases/days.ts";
import { aDay, camtOf } from "./files.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { others } = world;
const DAY = "2026-10-01";
const importDay = (...given: Parameters<typeof aDay>) =>
  world.importFile(new TextEncoder().encode(camtOf([aDay(...given)])));
const explainAll = (amount: string) =>
  others.request(explainDifference, { day: DAY, item: "bank_only", amount, reason: "asked the bank" });

test("a reason for a class is for the lines that it had: a day with one that came later is not closed by it", async () => {
  await world.declareAccount();
  await importDay(DAY, 0n, [{ amount: 5n }, { amount: 6n }]);
  await explainAll("11");
  expect((await others.request(showDay, { day: DAY })).blocked_by).toBeNull();
  // The next statement of the same day.
  await importDay(DAY, 11n, [{ amount: 7n, narration: "LATER" }], 2);
  const { items, blocked_by } = await others.request(showDay, { day: DAY });
  expect(blocked_by).toBe("Lines of the difference without a reason: 1.");
  expect(items.filter(({ reason }) => reason === null)).toMatchObject([{ amount: "7", what: "LATER" }]);
  await expect(closeDay(world, DAY, "bola")).rejects.toMatchObject({ code: "conflict" });
  await explainAll("18");
  expect(await closeDay(world, DAY, "bola")).toMatchObject({ state: "closed" });
});
