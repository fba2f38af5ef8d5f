import { closeDay, explainDifference, type Problem, showDay, withdrawStatement } from "@collect/contracts";
import { beforeAll, describe, expect, test } from "vitest";
import { closeDay as close } from "../src/use-cases/days.ts";
import { ACCOUNT, aDay, camtOf, fileOf, mt940Of } from "./files.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { others, pool, bus, refresh, known } = world;
const [FIRST, SECOND] = ["2026-10-01", "2026-10-02"];

const take = (text: string) => codeOf(world.importFile(new TextEncoder().encode(text)));
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "taken",
    (problem: Problem) => problem.errors?.[0]?.code ?? `${problem.code}: ${problem.detail}`,
  );
const show = (day: string) => others.request(showDay, { day });

/** A page of a statement: the balances that are between two pages have an M. */
function page(number: string, opening: bigint, amounts: bigint[], { from = "F", to = "F", day = FIRST } = {}): string {
  const lines = amounts.map((amount) => ({ amount, references: [`P${amount}`] }));
  return mt940Of(aDay(day, opening, lines))
    .replace(/:28C:.*/, `:28C:${number}`)
    .replace(":60F:", `:60${from}:`)
    .replace(":62F:", `:62${to}:`);
}

beforeAll(async () => {
  await world.declareAccount();
  known.ledger.set(FIRST, 0n);
});

describe("a statement on several pages", () => {
  test("is taken page by page in order, and nothing else in between", async () => {
    expect(await take(page("17/2", 600n, [20n], { from: "M" }))).toBe("statement_missing");
    expect(await take(page("17/1", 500n, [100n], { to: "M" }))).toBe("taken");
    expect(await take(page("17/3", 600n, [20n], { from: "M" }))).toBe("statement_missing");
    expect(await take(page("17/2", 601n, [20n], { from: "M" }))).toBe("opening_balance");
    expect(await take(page("18", 600n, [], { day: SECOND }))).toBe("statement_missing");
    const csv = fileOf("csv", [aDay(SECOND, 600n, [{}])]);
    expect(await codeOf(world.importFile(csv, ACCOUNT))).toBe("statement_missing");
  });
  test("covers its day with the last page: before that the day is not closed", async () => {
    const before = await show(FIRST);
    expect(before.blocked_by).toBe(`There is no complete statement of account ${ACCOUNT} for the day.`);
    expect(before.accounts).toMatchObject([{ opening: "500", closing: "600", lines: 1 }]);
    expect(await codeOf(others.request(closeDay, { day: FIRST }))).toMatch(/^conflict: There is no complete statement/);
    expect(await take(page("17/2", 600n, [20n, -5n], { from: "M" }))).toBe("taken");
    expect(await show(FIRST)).toMatchObject({
      // With what stood there before.
      blocked_by: "Lines of the difference without a reason: 4.",
      accounts: [{ opening: "500", in: "120", out: "-5", closing: "615", lines: 3 }],
    });
  });
  test("in one file is as many statements, all or none", async () => {
    const pages = (closing: bigint) =>
      [
        page("18/1", 615n, [1n], { to: "M", day: SECOND }),
        page("18/2", 616n, [2n], { from: "M", to: "M", day: SECOND }),
        page("18/3", closing, [3n], { from: "M", day: SECOND }),
      ].join("\r\n");
    expect(await take(pages(617n))).toBe("opening_balance");
    expect(await take(pages(618n))).toBe("taken");
    expect((await show(SECOND)).accounts).toMatchObject([{ opening: "615", closing: "621", lines: 3 }]);
  });
  test("is withdrawn from its last page on, each by its number, and once", async () => {
    const withdraw = (number?: string) =>
      codeOf(
        others.request(withdrawStatement, {
          ...{ account: ACCOUNT, from: SECOND, reason: "the bank sent others" },
          ...(number && { number }),
        }),
      );
    expect(await withdraw()).toBe("conflict: Several begin on that day: name the number of the last one, 18/3.");
    expect(await withdraw("18/1")).toMatch(/^not_found/);
    expect((await Promise.all([withdraw("18/3"), withdraw("18/3")])).toSorted()).toEqual([
      expect.stringMatching(/^not_found/),
      "taken",
    ]);
    expect([await withdraw("18/2"), await withdraw("18/1")]).toEqual(["taken", "taken"]);
  });
});

describe("several statements of one day", () => {
  const LATER = (number: string) => page(number, 615n, [7n]);

  test("follow each other by their numbers; what has none overlaps", async () => {
    const csv = fileOf("csv", [aDay(FIRST, 615n, [{ amount: 7n }])]);
    expect(await codeOf(world.importFile(csv, ACCOUNT))).toBe("statement_overlaps");
    for (const number of ["17", "19", "A17"]) expect(await take(LATER(number))).toBe("statement_overlaps");
    expect(await take(LATER("18"))).toBe("taken");
    expect((await show(FIRST)).accounts).toMatchObject([{ opening: "500", closing: "622", lines: 4 }]);
  });
  test("are refused once their day is closed", async () => {
    for (const { key: item, amount } of (await show(FIRST)).items)
      await others.request(explainDifference, { day: FIRST, item, amount, reason: "asked the bank" });
    await close({ pool, bus, refresh }, FIRST, "bola");
    expect(await take(page("19", 622n, [1n]))).toMatch(/^conflict: The day is closed/);
  });
});

test("one that is still to be continued may be of today, and no other", async () => {
  const NUMBER = "8888888888";
  await world.declareAccount({ number: NUMBER, bank: "058", pays_out: false });
  const today = new Date(Date.now() + 3_600_000).toISOString().slice(0, 10);
  const interim = camtOf([aDay(today, 0n, [{}])]).replaceAll(ACCOUNT, NUMBER);
  expect(await take(interim)).toBe("unfinished_day");
  expect(await take(interim.replace("CLBD", "ITBD"))).toBe("taken");
});
