import { setSettlementSchedule } from "@collect/contracts";
import { randomId, startComponents, until } from "@collect/testing";
import { expect, test } from "vitest";
import { latestCutOff } from "../src/domain/settlement.ts";
import { createSettlementWorker, SETTLING } from "../src/workers/settlement.ts";
import { backdate, collect, faultsOf, settlementsOf, useLedger } from "./ledger.ts";

const DAY_MS = 86_400_000;

const ledger = await useLedger();

const aMerchant = (prefix = "mer") => ({ id: randomId(prefix), mode: "test" as const });

const collected = (merchant: { id: string }, amount = 1_000n) =>
  collect(ledger.pool, [{ merchant: merchant.id, amount }]);

/** Two replicas of a worker with an injected clock. */
async function startWorkers(now: () => Date) {
  const settling = { everyMs: 20, pageMax: 2, readNow: async () => now() };
  const worker = () => createSettlementWorker({ pool: ledger.pool, log: ledger.log, settling });
  return startComponents([worker(), worker()]);
}

/** A midnight in Lagos twelve days ago, at the end of the day that `collectedBefore` collects on: it is due at 06:00. */
const midnight = () => latestCutOff(new Date(), { delayDays: 1, atMinutes: 0 }).getTime() - 12 * DAY_MS;

async function collectedBefore(...merchants: { id: string }[]): Promise<void> {
  for (const merchant of merchants) await collected(merchant);
  await backdate(ledger.owner, 13, ...merchants);
}

const at = (day: number, time: string) => new Date(day + Date.parse(`1970-01-01T${time}Z`));

test("the collections of a day are settled at 06:00 of the next day in Lagos, not before, page by page for all merchants", async () => {
  const merchants = Array.from({ length: 7 }, (_, index) => aMerchant(`mer_${index}`));
  const early = aMerchant("mer_zzz");
  await collectedBefore(...merchants, early);
  await ledger.others.request(setSettlementSchedule, { merchant_id: early.id, delay_days: 1, at: "05:59" });
  let clock = at(midnight(), "05:59:30");
  const stop = await startWorkers(() => clock);
  try {
    // The last in id order is settled, so the others have been checked.
    await until("the early merchant is settled", async () => (await settlementsOf(ledger.owner, early)).length === 1);
    expect(await Promise.all(merchants.map((merchant) => settlementsOf(ledger.owner, merchant)))).toEqual(
      merchants.map(() => []),
    );
    clock = at(midnight(), "06:00");
    await until("all merchants are settled", async () =>
      (await Promise.all(merchants.map((merchant) => settlementsOf(ledger.owner, merchant)))).every(
        (settlements) => settlements.length === 1,
      ),
    );
    for (const merchant of merchants) expect(await settlementsOf(ledger.owner, merchant)).toEqual([[0, 1, 2, 990]]);
  } finally {
    await stop();
  }
});

test("after days of downtime one settlement covers all of them, and a merchant with a delay keeps its own schedule", async () => {
  const [missed, delayed] = [aMerchant("mer_a"), aMerchant("mer_b")];
  await collectedBefore(missed, delayed, missed);
  await ledger.others.request(setSettlementSchedule, { merchant_id: delayed.id, delay_days: 10, at: "06:00" });
  let clock = at(midnight() + 8 * DAY_MS, "12:00");
  const stop = await startWorkers(() => clock);
  try {
    await until("the missed days are settled", async () => (await settlementsOf(ledger.owner, missed)).length === 1);
    expect(await settlementsOf(ledger.owner, missed)).toEqual([[0, 2, 3, 1_980]]);
    expect(await settlementsOf(ledger.owner, delayed)).toEqual([]);
    clock = at(midnight() + 9 * DAY_MS, "06:00");
    await until(
      "the delayed merchant is settled",
      async () => (await settlementsOf(ledger.owner, delayed)).length === 1,
    );
  } finally {
    await stop();
  }
});

test("a shortened schedule applies before the next cut-off", async () => {
  const merchant = aMerchant();
  await collectedBefore(merchant);
  const schedule = { merchant_id: merchant.id, delay_days: 30, at: "06:00" };
  expect(await ledger.others.request(setSettlementSchedule, schedule)).toEqual(schedule);
  const other = aMerchant("mer_zzzz");
  await collectedBefore(other);
  const stop = await startWorkers(() => at(midnight(), "06:00"));
  try {
    await until("the others are settled", async () => (await settlementsOf(ledger.owner, other)).length === 1);
    expect(await settlementsOf(ledger.owner, merchant)).toEqual([]);
    await ledger.others.request(setSettlementSchedule, { ...schedule, delay_days: 1 });
    await until("this one too", async () => (await settlementsOf(ledger.owner, merchant)).length === 1);
  } finally {
    await stop();
  }
});

test("a merchant that cannot be settled does not block the others", async () => {
  const [broken, next] = [aMerchant("mer_a"), aMerchant("mer_b")];
  await collectedBefore(broken, next);
  const time = at(midnight(), "06:00");
  const key = `settlement:test:${broken.id}:${latestCutOff(time, { delayDays: 1, atMinutes: 360 }).toISOString().replace("Z", "000+00:00")}`;
  // Another transaction already has the key of its settlement.
  await collect(ledger.pool, [{ merchant: randomId("mer"), intakeId: key }]);
  const alarms: object[] = [];
  const log = { ...ledger.log, error: (fields: object) => void alarms.push(fields) };
  const settling = { everyMs: 20, pageMax: 200, readNow: async () => time };
  const stop = await startComponents([createSettlementWorker({ pool: ledger.pool, log, settling })]);
  try {
    await until("the next is settled", async () => (await settlementsOf(ledger.owner, next)).length === 1);
    await until("the alarm repeats", () => alarms.length >= 2);
    expect(alarms[0]).toMatchObject({ alarm: "not_settled", merchant_id: broken.id });
    expect(await settlementsOf(ledger.owner, broken)).toEqual([]);
  } finally {
    await stop();
  }
});

test("a worker whose clock is days ahead settles nothing early, and raises the alarm", async () => {
  const merchant = aMerchant();
  await collected(merchant);
  const alarms: object[] = [];
  const log = { ...ledger.log, error: (fields: object) => void alarms.push(fields) };
  const readNow = async () => new Date(Date.now() + 2 * DAY_MS);
  const worker = createSettlementWorker({ pool: ledger.pool, log, settling: { everyMs: 20, pageMax: 200, readNow } });
  const stop = await startComponents([worker]);
  try {
    await until("the alarm is raised", () => alarms.some((alarm) => Object.values(alarm).includes(merchant.id)));
    expect(await settlementsOf(ledger.owner, merchant)).toEqual([]);
  } finally {
    await stop();
  }
});

test("the worker uses the database's clock, not the process's", async () => {
  const { readNow } = SETTLING;
  const { rows } = await ledger.owner.query("select clock_timestamp() as now");
  expect((await readNow(ledger.pool)).getTime()).toBeGreaterThanOrEqual(Date.parse(rows[0].now));
});

test.each([
  { delay_days: 0, at: "06:00" },
  { delay_days: 31, at: "06:00" },
  { delay_days: 1, at: "24:00" },
])("a schedule of %j is refused", async (schedule) => {
  await expect(
    ledger.others.request(setSettlementSchedule, { merchant_id: randomId("mer"), ...schedule }),
  ).rejects.toMatchObject({ code: "validation_failed" });
});

test("at the end every sum, chain and balance is intact", async () => {
  expect(await faultsOf(ledger.owner)).toEqual([]);
});
