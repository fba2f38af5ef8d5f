import type { Problem } from "@collect/contracts";
import { describe, expect, test } from "vitest";
import { ACCOUNT, aDay, camtOf } from "./files.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const codesOf = (importing: Promise<unknown>) =>
  importing.then(
    () => ["taken"],
    (problem: Problem) => [problem.code, problem.errors?.[0]?.code],
  );

describe("banks number their statements", () => {
  const [NUMBER, COUNTED] = ["6666666666", "5555555555"];
  const take = (from: string, to: string | number, account = NUMBER, said = {}) => {
    const camt = camtOf([aDay(from, 0n, [])]).replaceAll(ACCOUNT, account);
    const named = camt.replace(/<ElctrncSeqNb>\d+/, `<ElctrncSeqNb>${to}`);
    return codesOf(world.importFile(new TextEncoder().encode(named), undefined, said));
  };
  test("anew with each year, or not with numbers: then the balances prove that none is missing", async () => {
    await world.declareAccount({ number: NUMBER, bank: "033", pays_out: false });
    expect(await take("2025-12-30", 251)).toEqual(["taken"]);
    expect(await take("2026-01-02", 2)).toEqual(["conflict", "statement_missing"]);
    expect(await take("2026-01-02", 1)).toEqual(["taken"]);
    expect(await take("2026-01-05", 1)).toEqual(["conflict", "statement_missing"]);
    expect(await take("2026-01-05", "A/5")).toEqual(["taken"]);
    expect(await take("2026-01-09", "A/6")).toEqual(["taken"]);
  });
  test("one after the other: a number that is skipped is a statement that is missing, unless they number by the day", async () => {
    await world.declareAccount({ number: COUNTED, bank: "214", pays_out: false });
    expect(await take("2026-02-10", 17, COUNTED)).toEqual(["taken"]);
    expect(await take("2026-02-11", 19, COUNTED)).toEqual(["conflict", "statement_missing"]);
    expect(await take("2026-02-11", 18, COUNTED)).toEqual(["taken"]);
    expect(await take("2026-02-12", 1, COUNTED)).toEqual(["taken"]);
    expect(await take("2026-02-13", 3, COUNTED)).toEqual(["conflict", "statement_missing"]);
    expect(await take("2026-02-13", 3, COUNTED, { despite_number: true })).toEqual(["taken"]);
    expect(await take("2026-02-14", 1130, COUNTED)).toEqual(["taken"]);
    expect(await take("2026-02-15", 1201, COUNTED)).toEqual(["taken"]);
  });
});
