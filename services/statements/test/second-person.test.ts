import { closeDay as closing, type Problem, showDay } from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { closeDay, explain } from "../src/use-cases/days.ts";
import { importFile } from "../src/use-cases/import-file.ts";
import { aDay, fileOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { known, pool, others } = world;

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
  for (const [by, day] of Object.entries(files)) await take(by, day);
});

async function take(by: string, day: ReturnType<typeof aDay>) {
  const { hash, parts } = await world.put(fileOf("mt940", [day]));
  await importFile(pool, { hash, parts, name: by }, by);
}

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

test("what a person has seen is closed, and nothing that another person has changed since", async () => {
  const day = "2026-10-05";
  const show = () => others.request(showDay, { day });
  const closeAs = (seen: string | undefined) =>
    others.request(closing, { day, seen }).then(
      ({ state }) => state,
      ({ code, detail }: Problem) => `${code}: ${detail}`,
    );
  const giveReason = async (reason: string) => {
    for (const { key: item, amount } of (await show()).items)
      await explain(world, { day, item, amount: BigInt(amount), reason }, "ada");
  };
  const changed = "conflict: The day has changed since it was shown: look at it again.";
  await take("ada", aDay(day, 100n, [], 4));
  const balanced = await show();
  expect(balanced).toMatchObject({ difference: "0", items_total: 0, blocked_by: null });
  expect((await show()).digest).toBe(balanced.digest);

  await take("ada", aDay(day, 100n, [{ amount: -500_000_000n, narration: "TO A FRIEND" }], 5));
  await giveReason("a correction of the bank");
  const explained = await show();
  expect(explained).toMatchObject({ difference: "-500000000", items_total: 1, blocked_by: null });
  expect(await closeAs(balanced.digest)).toBe(changed);
  // Of the same amounts.
  await giveReason("money that was stolen");
  expect(await closeAs(explained.digest)).toBe(changed);
  const { digest } = await show();
  expect(await closeAs(digest)).toBe("closed");
  expect(await closeAs(digest)).toBe("closed");
});
