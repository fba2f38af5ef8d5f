import { Problem } from "@collect/contracts";
import { beforeAll, expect, test } from "vitest";
import { parseStatements } from "../src/domain/parse.ts";
import type { Statement } from "../src/domain/statement.ts";
import { importFile } from "../src/use-cases/import-file.ts";
import { ACCOUNT, FORMATS_OF_DAYS, fileOf, MAPPING } from "./files.ts";
import { makeMonth, mulberry } from "./month.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { pool, owner } = world;
const month = makeMonth({ seed: 7, collections: 24, days: 2 });

beforeAll(async () => {
  await world.declareAccount();
  // Each file is the first of its account, so what was taken of the one before goes.
  await owner.query("alter table statements disable trigger statements_are_withdrawn");
});

// A CSV has no closing balance, and a file of several statements may end after any: the end that is cut off is what the next
// statement's opening balance reveals. Everything else has to be there.
test.each(FORMATS_OF_DAYS)(
  "%s: 300 damaged files are refused and leave nothing, or are an unbroken run of the same movements, stored whole",
  async (format) => {
    const random = mulberry(11);
    const original = fileOf(format, month.days);
    const whole = amountsOf(parseStatements(original, MAPPING));
    let refused = 0;
    for (let n = 0; n < 300; n++) {
      const bytes = damage(original, random);
      if (await isTaken(bytes)) {
        const statements = parseStatements(bytes, MAPPING);
        expect(whole).toContain(amountsOf(statements));
        expect(await stored()).toEqual({ files: 1, amounts: amountsOf(statements), statements: proved(statements) });
        for (const table of ["lines", "statements", "files"]) await owner.query(`delete from ${table}`);
      } else {
        refused++;
        expect(await stored()).toEqual({ files: 0, amounts: ",,", statements: [] });
      }
    }
    expect([refused > 60, refused < 300]).toEqual([true, true]);
  },
);

/** False if it is refused by a problem with a code. */
async function isTaken(bytes: Uint8Array): Promise<boolean> {
  const { hash, parts } = await world.put(bytes);
  return importFile(pool, { hash, parts, name: "damaged", account: ACCOUNT }, "ada").then(
    () => true,
    (error) => {
      if (!(error instanceof Problem)) throw error;
      expect(error.errors?.[0]?.code ?? error.code).toMatch(/^[a-z_]+$/);
      return false;
    },
  );
}

const amountsOf = (statements: Statement[]) =>
  `,${statements
    .flatMap(({ lines }) => lines.flatMap(({ parts, ...line }) => (parts.length > 0 ? parts : [line])))
    .map(({ amount }) => amount)},`;
const proved = (statements: Statement[]) => statements.map(({ opening, closing }) => [opening, closing]);

async function stored() {
  const { rows } = await owner.query(`
    select (select count(*)::integer from files) as files,
      (select concat(',', string_agg(amount::text, ',' order by id), ',') from lines) as amounts,
      (select coalesce(json_agg(json_build_array(opening::text, closing::text) order by id), '[]') from statements) as statements`);
  const statements: [string, string][] = rows[0].statements;
  return { ...rows[0], statements: statements.map((balances) => balances.map(BigInt)) };
}

/** A few bytes changed, removed, repeated, or the end cut off. */
function damage(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  const at = random(bytes.length);
  const length = 1 + random(40);
  const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at + length)];
  const middle = [
    () => Uint8Array.from({ length }, () => random(256)),
    () => new Uint8Array(),
    () => Uint8Array.from([...bytes.subarray(at, at + length), ...bytes.subarray(at, at + length)]),
    () => Uint8Array.from({ length }, () => 48 + random(10)),
  ][random(4)];
  if (random(10) === 0) return head;
  return Uint8Array.from([...head, ...(middle?.() ?? []), ...tail]);
}
