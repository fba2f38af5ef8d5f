import {
  collectionPosted,
  countMinutes,
  suspensePosted,
  transferReceived,
  transferUnallocated,
} from "@collect/contracts";
import { aTransfer, randomId, recordFacts } from "@collect/testing";
import { expect, test } from "vitest";
import { fund, useLedger } from "./ledger.ts";

const ledger = await useLedger();

const DAY = { from: "2026-11-20T00:00:00.000+00:00", to: "2026-11-21T00:00:00.000+00:00" };
const count = async (window: { from: string; to: string }) =>
  (await ledger.others.request(countMinutes.ledger, window)).minutes;

test("received money is counted once, gross, by mode, kind and minute, despite repeats", async () => {
  const merchant = { id: randomId("mer"), mode: "live" as const };
  const received = (receivedAt: string, amount: bigint, given: object = {}) =>
    aTransfer({ merchant, amount, receivedAt: `2026-11-20T${receivedAt}+00:00`, ...given });
  const transfers = [
    received("00:00:00.000", 100n),
    received("00:00:59.999", 200n),
    received("00:01:00.000", 400n),
    received("23:59:59.999", 800n, { merchant: { ...merchant, mode: "test" } }),
    received("00:01:30.000", 1_600n, { fundedBy: "suspense" }),
  ];
  const [, , , , allocated] = transfers;
  if (!allocated) throw new Error("no transfer to allocate");
  const { intakeId, amount, paidAt, receivedAt } = allocated;
  const [held, posted] = [
    await recordFacts(ledger.others, suspensePosted),
    await recordFacts(ledger.others, collectionPosted),
  ];
  await ledger.others.publish(transferUnallocated, [{ intakeId, mode: "live", amount, paidAt, receivedAt }]);
  await held.count(1);
  await ledger.others.publish(transferReceived, transfers);
  await posted.count(5);
  await ledger.others.publish(transferReceived, transfers);
  await posted.count(10);
  // Other movements of money are not receipts: settlements are excluded.
  await fund(ledger.pool, merchant.id);

  const minute = (time: string) => `2026-11-20T${time}:00.000+00:00`;
  expect(await count(DAY)).toMatchObject([
    { mode: "live", kind: "collection", minute: minute("00:00"), count: 2, sum: "300" },
    { mode: "live", kind: "collection", minute: minute("00:01"), count: 2, sum: "2000" },
    { mode: "live", kind: "suspense", minute: minute("00:01"), count: 1, sum: "1600" },
    { mode: "test", kind: "collection", minute: minute("23:59"), count: 1, sum: "800" },
  ]);
  expect(await count({ from: minute("00:01"), to: minute("00:02") })).toHaveLength(2);
  expect(await count({ from: minute("00:02"), to: minute("00:03") })).toEqual([]);
});

test("at most one day is counted per request", async () => {
  await expect(count({ ...DAY, to: "2026-11-21T00:00:00.001+00:00" })).rejects.toMatchObject({
    code: "validation_failed",
  });
});
