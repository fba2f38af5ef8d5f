import { Problem } from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { parseStatements } from "../src/domain/parse.ts";
import { importFile } from "../src/use-cases/import-file.ts";
import { damage } from "./damage.ts";
import { ACCOUNT, FORMATS_OF_DAYS, fileOf, MAPPING } from "./files.ts";
import { makeMonth, mulberry } from "./month.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { pool, owner } = world;
beforeAll(async () => {
  await world.declareAccount();
  // Each file is the first of its account, so what was taken of the one before goes.
  await owner.query("alter table statements disable trigger statements_are_withdrawn");
});
const month = makeMonth({ seed: 7, collections: 24, days: 3 });

const stored = async () => {
  const tables = ["files", "statements", "lines", "file_parts", "matches"];
  const { rows } = await owner.query(
    tables.map((table) => `select '${table}' as name, count(*)::integer as rows from ${table}`).join(" union all "),
  );
  return Object.fromEntries(rows.map(({ name, rows: count }) => [name, count]));
};
/** Every line that is stored, with its statement: in a file that is half taken they do not lead to the closing balance. */
const unproved = async () =>
  (
    await owner.query(`
      select statements.id from statements left join lines on statement_id = statements.id group by statements.id
      having opening + coalesce(sum(amount), 0) <> closing or line_count <> count(distinct position)`)
  ).rows;

test.each(FORMATS_OF_DAYS)("%s: of 300 damaged files none is taken in part", async (format) => {
  const random = mulberry(13);
  const original = fileOf(format, month.days);
  const empty = await stored();
  let taken = 0;
  for (let n = 0; n < 300; n++) {
    const bytes = damage(original, random);
    const outcome = await world
      .put(bytes)
      .then(({ hash, parts }) => importFile(pool, { hash, parts, name: "damaged", account: ACCOUNT }, "ada"))
      .catch((error) => {
        // Anything else has not been thought of.
        if (!(error instanceof Problem)) throw error;
      });
    if (outcome === undefined) {
      await owner.query("delete from file_parts");
      expect(await stored()).toEqual(empty);
      continue;
    }
    taken++;
    expect(await unproved()).toEqual([]);
    expect(await stored()).toMatchObject(sizeOf(bytes));
    for (const table of ["lines", "statements", "files"]) await owner.query(`delete from ${table}`);
  }
  expect([taken, 300 - taken].every((count) => count > 20)).toBe(true);
});

function sizeOf(bytes: Uint8Array) {
  const statements = parseStatements(bytes, MAPPING);
  const lines = statements.flatMap((statement) => statement.lines);
  const rows = lines.reduce((sum, { parts }) => sum + Math.max(1, parts.length), 0);
  return { files: 1, statements: statements.length, lines: rows, file_parts: 0 };
}
