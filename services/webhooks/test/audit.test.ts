import { collectionRecorded, collectionSucceeded, countMinutes, transferCompleted } from "@collect/contracts";
import { createPool, KEY_LOOKUPS_ONLY } from "@collect/database";
import { aMerchant, recordFacts, until } from "@collect/testing";
import { expect, test } from "vitest";
import { received as receivedRows } from "../src/store/received-minutes.ts";
import { aCollection, aCompletedTransfer, useWebhooks } from "./service.ts";

const world = await useWebhooks();

const FROM = "2026-11-20T10:00:00.000+00:00";
const TO = "2026-11-20T10:05:00.000+00:00";
const received = (receivedAt: string, merchant = aMerchant("test"), amount = 100n) =>
  aCollection({ receivedAt, merchant, amount });

test("money received in [from, to) is counted and summed by mode and minute, each collection once", async () => {
  const facts = await recordFacts(world.others, collectionRecorded);
  const inTime = [
    received("2026-11-20T10:00:00.000+00:00"),
    received("2026-11-20T10:00:59.999+00:00", aMerchant("test"), 250n),
    received("2026-11-20T10:00:30.000+00:00", aMerchant("live"), 1_000n),
    received("2026-11-20T10:04:59.999+00:00"),
  ];
  const outside = [received("2026-11-20T09:59:59.999+00:00"), received(TO)];
  await world.others.publish(collectionSucceeded, [...inTime, ...outside]);
  await facts.count(6);
  await world.others.publish(collectionSucceeded, inTime);
  await facts.count(10);

  const { minutes } = await world.others.request(countMinutes.webhooks, { from: FROM, to: TO });
  expect(minutes).toMatchObject([
    { mode: "live", kind: "collection", minute: FROM, count: 1, sum: "1000" },
    { mode: "test", kind: "collection", minute: FROM, count: 2, sum: "350" },
    { mode: "test", kind: "collection", minute: "2026-11-20T10:04:00.000+00:00", count: 1, sum: "100" },
  ]);
});

test("outbound transfers are not counted as received money", async () => {
  const merchant = aMerchant();
  const day = { from: "2026-11-18T00:00:00.000+00:00", to: "2026-11-19T00:00:00.000+00:00" };
  const at = "2026-11-18T12:00:00.000+00:00";
  await world.others.publish(transferCompleted, [aCompletedTransfer({ merchant, createdAt: at, completedAt: at })]);
  await until("it is recorded", async () => {
    const { rowCount } = await world.owner.query("select from events where merchant_id = $1", [merchant.id]);
    return rowCount === 1;
  });
  expect(await world.others.request(countMinutes.webhooks, day)).toEqual({ minutes: [] });
});

test.each([
  ["more than a day", "2026-11-20T00:00:00.000+00:00", "2026-11-21T00:00:00.001+00:00"],
  ["an end before the start", "2026-11-20T00:00:00.001+00:00", "2026-11-20T00:00:00.000+00:00"],
])("%s is refused", async (_what, from, to) => {
  await expect(world.others.request(countMinutes.webhooks, { from, to })).rejects.toMatchObject({
    code: "validation_failed",
    errors: [{ param: "to" }],
  });
});

test("the minutes are found by the index on received_at", async () => {
  const pool = createPool({
    url: world.database.service,
    service: "webhooks",
    log: world.log,
    max: 1,
    settings: KEY_LOOKUPS_ONLY,
  });
  await receivedRows.minutes(pool, { from: FROM, to: TO });
  await pool.end();
  await until("the scan is counted", async () => {
    const { rows } = await world.owner.query<{ idx_scan: bigint }>(
      "select idx_scan from pg_stat_user_indexes where indexrelname = 'events_received_at'",
    );
    return (rows[0]?.idx_scan ?? 0n) > 0n;
  });
});
