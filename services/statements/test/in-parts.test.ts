import { expect, test } from "vitest";
import { matchAccount } from "../src/use-cases/match-account.ts";
import { ACCOUNT, fileOf } from "./files.ts";
import { makeMonth } from "./month.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { owner, pool } = world;

/** Which lines and movements are together, and by what. A line that the bank booked twice is the same as its other one. */
async function matched() {
  const { rows } = await owner.query(`
    select array(select key from movements where match_id = matches.id order by key) as movements, evidence,
      array(select concat_ws(' ', booked_on, amount, session_id, refs, narration) from lines where match_id = matches.id order by 1) as lines
    from matches order by movements`);
  return rows;
}

test("what is read in many parts, also by two processes at once, is matched as if it were read at once", async () => {
  const month = makeMonth({ seed: 11, collections: 200, days: 4 });
  Object.assign(world.known, month);
  await world.declareAccount();
  for (const day of month.days) await world.importFile(fileOf("mt940", [day]), ACCOUNT);
  await world.refresh();
  const atOnce = await matched();
  expect(new Set(atOnce.map(({ evidence }) => evidence))).toContain("settlement");

  for (const table of ["lines", "movements"]) await owner.query(`update ${table} set match_id = null`);
  await owner.query("delete from matches");
  // So few that a settlement, which has five movements, does not fit.
  await Promise.all([matchAccount(pool, ACCOUNT, 3), matchAccount(pool, ACCOUNT, 3)]);
  const { rows } = await owner.query("select count(distinct xmin::text)::integer as runs from matches");
  expect(rows[0].runs).toBeGreaterThan(5);
  expect(await matched()).toEqual(atOnce);
});
