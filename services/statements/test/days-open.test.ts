import { endBankAccount, explainDifference, reopenDay, showDay, withdrawStatement } from "@collect/contracts";
import { readMetrics } from "@collect/telemetry";
import { describe, expect, test } from "vitest";
import { addDays } from "../src/domain/calendar.ts";
import { countOpenDays, readAges } from "../src/store/days-open.ts";
import { readToday } from "../src/store/statements.ts";
import { closeDay as closeDayOf } from "../src/use-cases/days.ts";
import { measureDays } from "../src/workers/measurements.ts";
import { ACCOUNT, aDay, camtOf, fileOf } from "./files.ts";
import { BANK } from "./month.ts";
import { useStatements } from "./world.ts";

const world = await useStatements();
const { others, known, pool, owner } = world;
const OTHER = { number: "8888888888", bank: "058", pays_out: false };
const today = await readToday(pool);
const day = (ago: number) => addDays(today, -ago);
const take = (on: string, number = ACCOUNT) =>
  world.importFile(new TextEncoder().encode(camtOf([aDay(on, 0n, [])]).replaceAll(ACCOUNT, number)));
const close = (on: string) => closeDayOf(world, on, "tunde");
const open = () => countOpenDays(pool);

/** In days, as of the beginning of today. */
const agesInDays = async () => {
  const { rows } = await owner.query<{ since: number }>(
    "select extract(epoch from clock_timestamp() - $1::date::timestamp at time zone 'Africa/Lagos')::float8 as since",
    [today],
  );
  const ofToday = rows[0]?.since ?? 0;
  return Object.fromEntries(
    (await readAges(pool)).map(({ bank, age_s }) => [bank, Math.round((age_s - ofToday) / 86_400)]),
  );
};

/** The banks of the metric, as a process shows it. */
async function shown(): Promise<unknown[]> {
  await measureDays(pool).measurements?.days?.measure();
  const { text } = await readMetrics();
  expect(text).toContain(`\ncollect_statement_days_open ${await open()}\n`);
  return [...text.matchAll(/^collect_statement_age_seconds\{bank="(\w+)"\} \d/gm)].map(([, bank]) => bank).toSorted();
}

for (let ago = 0; ago <= 10; ago++) known.ledger.set(day(ago), 0n);

describe("days that are over and not closed", () => {
  test("are none before the first statement, and an account without one has its own age", async () => {
    await world.declareAccount();
    expect(await open()).toBe(0);
    await owner.query("update bank_accounts set set_at = clock_timestamp() - interval '90 hours'");
    expect(Math.round((await readAges(pool))[0]?.age_s ?? 0)).toBe(90 * 3_600);
  });
  test("count from the first statement to yesterday, whether or not a statement of them has come", async () => {
    await take(day(6));
    expect([await open(), await agesInDays()]).toEqual([6, { [BANK]: 5 }]);
    await take(day(5));
    expect([await open(), await agesInDays()]).toEqual([6, { [BANK]: 4 }]);
  });
  test("are fewer by each that is closed, and more by one that is reopened", async () => {
    await close(day(6));
    expect(await open()).toBe(5);
    await close(day(5));
    expect(await open()).toBe(4);
    await others.request(reopenDay, { day: day(5), reason: "the bank corrected a line" });
    expect(await open()).toBe(5);
    await close(day(5));
  });
  test("an interim statement does not prove the day that it ends in", async () => {
    const interim = Buffer.from(fileOf("mt940", [aDay(day(4), 0n, [])])).toString();
    await world.importFile(Buffer.from(interim.replace(":62F:", ":62M:")));
    expect(await agesInDays()).toEqual({ [BANK]: 4 });
    await others.request(withdrawStatement, { account: ACCOUNT, from: day(4), reason: "its last page will not come" });
  });
  test("each open account at a bank has its age, and one that has ended has none", async () => {
    await world.declareAccount(OTHER);
    await take(day(4), OTHER.number);
    expect(await agesInDays()).toEqual({ [BANK]: 4, [OTHER.bank]: 3 });
    expect(await shown()).toEqual([BANK, OTHER.bank].toSorted());
    await others.request(endBankAccount, { number: OTHER.number, last_day: day(4), reason: "the bank closed it" });
    expect(await agesInDays()).toEqual({ [BANK]: 4 });
    expect(await shown()).toEqual([BANK]);
    expect(await open()).toBe(4);
  });
  test("are none once every account has ended and the day after it is closed", async () => {
    await take(day(4));
    await others.request(endBankAccount, { number: ACCOUNT, last_day: day(4), reason: "the bank closed it" });
    expect([await open(), await agesInDays()]).toEqual([2, {}]);
    await close(day(4));
    for (const { key: item, amount, settled } of (await others.request(showDay, { day: day(3) })).items)
      if (!settled) await others.request(explainDifference, { day: day(3), item, amount, reason: "asked the bank" });
    await close(day(3));
    expect(await open()).toBe(0);
  });
});
