import { setFeeSchedule } from "@collect/contracts";
import { randomId } from "@collect/testing";
import { expect, test } from "vitest";
import { createFeeSchedules } from "../src/store/fee-schedules.ts";
import { useLedger } from "./ledger.ts";

const ledger = await useLedger();

const crowd = (size: number) => Array.from({ length: size }, () => randomId("mer"));
async function aMerchantAt(basisPoints: number): Promise<string> {
  const merchant = randomId("mer");
  await ledger.others.request(setFeeSchedule, { merchant_id: merchant, basis_points: basisPoints });
  return merchant;
}

test("with any number of merchants, each is charged by its own schedule", async () => {
  const schedules = createFeeSchedules();
  const feesOf = (merchants: string[]) => schedules(ledger.pool, merchants, 100);
  const [own, free, late] = [await aMerchantAt(250), await aMerchantAt(0), await aMerchantAt(75)];
  expect(await feesOf([own, free])).toEqual(
    new Map([
      [own, 250],
      [free, 0],
    ]),
  );
  // More merchants than fit in the cache, one batch after another, and concurrently.
  for (let batch = 0; batch < 3; batch++) {
    const [one, ...others] = [own, free, ...crowd(20_000)];
    const fees = await feesOf([one as string, ...others, own]);
    expect([fees.get(own), fees.get(free), fees.get(others.at(-1) ?? "")]).toEqual([250, 0, 100]);
  }
  const all = [own, late, ...crowd(60_000), free];
  const fees = await feesOf(all);
  expect(fees.size).toBe(all.length);
  expect([own, late, free].map((id) => fees.get(id))).toEqual([250, 75, 0]);
  // A cached schedule is not lost to a batch that evicts it from the cache.
  for (let n = 0; n < 5; n++) expect((await feesOf([own, free, ...crowd(1)])).get(own)).toBe(250);
});

test("a merchant that was cached before the batch that fills the cache keeps its fee", async () => {
  const schedules = createFeeSchedules();
  const own = await aMerchantAt(250);
  await schedules(ledger.pool, [own], 100);
  await schedules(ledger.pool, crowd(50_001), 100);
  await schedules(ledger.pool, [own], 100);
  expect((await schedules(ledger.pool, [own, ...crowd(1)], 100)).get(own)).toBe(250);
});

test("a changed fee applies within ten seconds", async () => {
  let now = 0;
  const schedules = createFeeSchedules(() => now);
  const merchant = await aMerchantAt(250);
  const fee = async () => (await schedules(ledger.pool, [merchant], 100)).get(merchant);
  expect(await fee()).toBe(250);
  await ledger.others.request(setFeeSchedule, { merchant_id: merchant, basis_points: 30 });
  expect(await fee()).toBe(250);
  now = 10_000;
  expect(await fee()).toBe(30);
});
