import { listDays, listStatements, reopenDay } from "@collect/contracts";
import { expect, test } from "vitest";
import { closeDay } from "../src/use-cases/days.ts";
import { ACCOUNT, aDay, camtOf } from "./files.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { others } = world;

const importDay = (...given: Parameters<typeof aDay>) =>
  world.importFile(new TextEncoder().encode(camtOf([aDay(...given)])));
/** Those before this one. */
const days = async (after: string) => (await others.request(listDays, { after })).data;
const statements = async () => (await others.request(listStatements, {})).data;

test("without a statement there are no days, and no statements", async () => {
  await world.declareAccount();
  expect(await others.request(listDays, {})).toEqual({ data: [], next: null });
  expect(await others.request(listStatements, {})).toEqual({ data: [], next: null });
});

test("a day says which accounts have no statement for it, which one is to be closed next, and who closed it", async () => {
  await importDay("2026-08-01", 0n, []);
  await importDay("2026-08-02", 0n, []);
  // No statement of it is here, from whichever day on.
  await world.declareAccount({ number: "9876543210", bank: "other", pays_out: false });
  const both = [ACCOUNT, "9876543210"];
  const open = { state: "open", closed_at: null, closed_by: null, is_next: false };
  expect(await days("2026-08-04")).toEqual([
    { ...open, day: "2026-08-03", missing: both },
    { ...open, day: "2026-08-02", missing: ["9876543210"] },
    { ...open, day: "2026-08-01", missing: ["9876543210"], is_next: true },
  ]);
  await world.importFile(
    new TextEncoder().encode(camtOf([aDay("2026-08-02", 0n, [])]).replaceAll(ACCOUNT, "9876543210")),
  );
  expect((await days("2026-08-03")).map(({ missing }) => missing)).toEqual([[], []]);
  await closeDay(world, "2026-08-01", "bola");
  expect(await days("2026-08-03")).toMatchObject([
    { day: "2026-08-02", state: "open", is_next: true },
    { day: "2026-08-01", state: "closed", closed_by: "bola", closed_at: expect.any(String), is_next: false },
  ]);
  await others.request(reopenDay, { day: "2026-08-01", reason: "closed too early" });
  expect((await days("2026-08-02"))[0]).toMatchObject({ state: "open", closed_by: null, is_next: true });
});

test("the days end yesterday, and are read a page at a time", async () => {
  const { data, next } = await others.request(listDays, {});
  const yesterday = new Date(Date.now() - 23 * 3_600_000).toISOString().slice(0, 10);
  expect(data.length).toBe(31);
  expect([data[0]?.day, data.at(-1)?.day]).toEqual([yesterday, next]);
  const older = await others.request(listDays, { after: next ?? "" });
  expect(older.data[0]?.day.localeCompare(next ?? "")).toBe(-1);
  const first = await others.request(listDays, { after: "2026-09-01" });
  expect([first.data.length, first.data.at(-1)?.day, first.next]).toEqual([31, "2026-08-01", null]);
});

test("a statement is listed with its file and who took it; only the last one of open days can be withdrawn", async () => {
  expect(await statements()).toMatchObject([
    { account: "9876543210", opening: "0", closing: "0", can_be_withdrawn: true },
    {
      ...{ account: ACCOUNT, number: "2", from: "2026-08-02", to: "2026-08-02", lines: 0, can_be_withdrawn: true },
      ...{ file: "statement", imported_by: "tester", imported_at: expect.any(String) },
    },
    { account: ACCOUNT, from: "2026-08-01", can_be_withdrawn: false },
  ]);
  for (const day of ["2026-08-01", "2026-08-02"]) await closeDay(world, day, "bola");
  expect((await statements()).map(({ can_be_withdrawn }) => can_be_withdrawn)).toEqual([false, false, false]);
});

test("statements are read a page at a time, each once", async () => {
  const month = Array.from({ length: 60 }, (_, index) =>
    aDay(new Date(Date.UTC(2026, 7, 3 + index)).toISOString().slice(0, 10), 0n, [], 3 + index),
  );
  await world.importFile(new TextEncoder().encode(camtOf(month)));
  const first = await others.request(listStatements, {});
  const rest = await others.request(listStatements, { after: first.next ?? "" });
  expect([first.data.length, rest.data.length, rest.next]).toEqual([50, 13, null]);
  expect(new Set([...first.data, ...rest.data].map(({ id }) => id)).size).toBe(63);
});
