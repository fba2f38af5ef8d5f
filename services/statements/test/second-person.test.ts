import type { Problem } from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { closeDay } from "../src/use-cases/days.ts";
import { importFile } from "../src/use-cases/import-file.ts";
import { aDay, fileOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { known, pool } = world;

/** Also where nothing differs: a file that was made up agrees with our books. */
const REFUSED = "second_person_required: You imported a statement of the day: another person closes it.";
const close = (day: string, by: string) =>
  closeDay(world, day, by).then(
    ({ difference, state }) => `${state}, ${difference}`,
    ({ code, detail }: Problem) => `${code}: ${detail}`,
  );

beforeAll(async () => {
  await world.declareAccount();
  const at = "2026-10-01T09:00:00.000+00:00";
  known.incoming = [
    { intake_id: "int_1", bank: BANK, bank_transfer_id: "LATE", amount: "100", paid_at: at, received_at: at },
  ];
  known.ledger.set("2026-10-01", 100n);
  const files = {
    ada: aDay("2026-10-01", 0n, [], 1),
    bola: aDay("2026-10-02", 0n, [{ amount: 100n, references: ["LATE"] }], 2),
    chidi: aDay("2026-10-04", 100n, [], 3),
  };
  for (const [by, day] of Object.entries(files)) {
    const { hash, parts } = await world.put(fileOf("mt940", [day]));
    await importFile(pool, { hash, parts, name: by }, by);
  }
});

test("a day is closed by none who imported a statement that covers it", async () => {
  expect(await close("2026-10-01", "ada")).toBe(REFUSED);
});
test("two persons close the days of a hand-over: the line of what is late is proved by its own day", async () => {
  expect(await close("2026-10-01", "bola")).toBe("closed, -100");
  expect(await close("2026-10-02", "bola")).toBe(REFUSED);
  expect(await close("2026-10-02", "ada")).toBe("closed, 100");
});
test("nor by one whose statement says, by its number, that nothing was booked on it", async () => {
  expect(await close("2026-10-03", "chidi")).toBe(REFUSED);
  expect(await close("2026-10-03", "ada")).toBe("closed, 0");
  expect(await close("2026-10-04", "chidi")).toBe(REFUSED);
  expect(await close("2026-10-04", "bola")).toBe("closed, 0");
});
