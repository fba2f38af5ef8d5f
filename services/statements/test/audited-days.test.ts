import { explainDifference, type Problem, showDay } from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { closeDay } from "../src/use-cases/days.ts";
import { aDay, fileOf } from "./files.ts";
import { useStatements } from "./world.ts";

/** A day is closed against a ledger that agrees with itself. */

const world = await useStatements();
const { others, known } = world;
const [FIRST, SECOND] = ["2026-10-01", "2026-10-02"];
const PROVEN = "2026-10-05T08:00:00.000+00:00";
const BROKEN = { what: "the chain of versions and balances is broken", where: "entry live:bank:0 version 7" };

const show = (day: string) => others.request(showDay, { day });
const close = (day: string, by = "bola") =>
  closeDay(world, day, by).then(
    () => "closed",
    ({ code, errors }: Problem) => errors?.[0]?.code ?? code,
  );

beforeAll(async () => {
  await world.declareAccount();
  await world.importFile(fileOf("camt.053", [aDay(FIRST, 0n, []), aDay(SECOND, 0n, [])]));
});

test("a day is not closed before the ledger has proven all that was posted by its end", async () => {
  known.audit = { proven_at: "2026-10-01T22:59:59.000+00:00", differences: [] };
  expect((await show(FIRST)).blocked_by).toMatch(/^The ledger's self-audit has not proven/);
  expect(await close(FIRST)).toBe("ledger_not_proven");
  known.audit = { proven_at: null, differences: [] };
  expect(await close(FIRST)).toBe("ledger_not_proven");
});

test("nor while it contradicts itself, though no balance shows it, unless one person gives a reason and another closes", async () => {
  known.audit = { proven_at: PROVEN, differences: [BROKEN] };
  const { items, difference, blocked_by } = await show(FIRST);
  expect([difference, items]).toMatchObject([
    "0",
    [{ class: "ledger", amount: "0", what: expect.stringContaining(BROKEN.where), reason: null }],
  ]);
  expect(blocked_by).toMatch(/^The ledger's self-audit found differences/);
  expect(await close(FIRST)).toBe("ledger_differs");
  const item = items[0]?.key ?? "";
  await others.request(explainDifference, { day: FIRST, item, amount: "0", reason: "of the drill on Friday" });
  expect(await close(FIRST, "tester")).toBe("second_person_required");
  // It does not count for what is found later.
  known.audit = { proven_at: PROVEN, differences: [BROKEN, { ...BROKEN, where: "entry live:fees:0 version 9" }] };
  expect(await close(FIRST)).toBe("ledger_differs");
  known.audit = { proven_at: PROVEN, differences: [BROKEN] };
  expect(await close(FIRST)).toBe("closed");
  expect((await show(FIRST)).items).toMatchObject([{ reason: "of the drill on Friday", explained_by: "tester" }]);
});

test("a green one stops nothing, and the next day needs no reason of the last", async () => {
  expect((await show(SECOND)).items).toMatchObject([{ reason: null }]);
  known.audit = { proven_at: PROVEN, differences: [] };
  expect(await show(SECOND)).toMatchObject({ items: [], blocked_by: null });
});

test("a ledger of the release before, which says nothing of it, closes days as before", async () => {
  delete known.audit;
  expect(await show(SECOND)).toMatchObject({ items: [], blocked_by: null });
  expect(await close(SECOND)).toBe("closed");
});
