import type { MerchantScope } from "@collect/contracts";
import { aMerchant, countRowsRead, usePlans } from "@collect/testing";
import { expect, test } from "vitest";
import { walkToDue } from "../src/store/claiming.ts";
import { beginHolds } from "../src/store/holds.ts";
import { createClaims } from "../src/workers/claims.ts";
import { useWebhooksWorld } from "./service.ts";

const WAITING = 20_000;

const world = await useWebhooksWorld();
const pool = usePlans(world, { service: "webhooks" });

const claims = () => createClaims({ pool, mode: "live", leaseMs: 60_000, pollMs: 3_600_000 });

/** So many merchants of which each has one event. */
const insertEvents = (count: number, merchant: string) =>
  world.owner.query(`
    insert into endpoints (merchant_id, mode, url, secret) select ${merchant}, 'live', 'https://x', 's' from generate_series(1, ${count}) n;
    insert into events (merchant_id, mode, sequence, key, kind, reference, amount_kobo, body, created_at)
    select ${merchant}, 'live', n, 'key ' || ${merchant}, 'collection.success', 'col_' || n, 100, 'x', now() from generate_series(1, ${count}) n`);

/** Deliveries whose first attempt has failed, each of the next of so many merchants. */
const insertFailed = (count: number, merchant: string, nextAttemptAt: string) =>
  world.owner.query(`
    insert into deliveries (merchant_id, mode, sequence, url, kind, attempts, next_attempt_at)
    select ${merchant}, 'live', n, 'https://x', 'collection.success', 1, ${nextAttemptAt} from generate_series(1, ${count}) n`);

test("a poll reads what is due, and merchants that wait for a retry only once in a while, though planned while nothing waited", async () => {
  const claim = claims();
  const full: MerchantScope = { id: aMerchant().id, mode: "live" };
  const queues = [{ merchantId: full.id, mode: full.mode, free: 0 }];
  const poll = () => claim({ queues, otherFree: 32 });
  expect(await poll()).toEqual([]);
  const held = { merchantId: aMerchant().id, mode: full.mode, since: "2026-11-21T09:30:00.000+00:00" };
  const hold = () => beginHolds(pool, [held], 60_000);
  await hold();

  await world.owner.query("alter table deliveries set (autovacuum_enabled = false)");
  const merchant = aMerchant().id;
  await world.owner.query(`
    insert into endpoints (merchant_id, mode, url, secret) values ('${merchant}', 'live', 'https://x', 's');
    insert into events (merchant_id, mode, sequence, key, kind, reference, amount_kobo, body, created_at)
    select '${merchant}', 'live', n, 'k' || n, 'collection.success', 'col_' || n, 100, 'x', now() from generate_series(1, 10) n`);
  await insertFailed(WAITING, "'mer_' || n", "now() + interval '1 hour'");
  await insertFailed(10, `'${merchant}'`, "now() - interval '1 second'");
  await insertEvents(1, `'${held.merchantId}'`);
  await insertFailed(3, `'${held.merchantId}'`, "now() + interval '2 hours'");
  const claimed: number[] = [];
  const reads = {
    due: async () => claimed.push((await poll()).length),
    nothing: async () => claimed.push((await poll()).length),
    walk: () => walkToDue(pool, "live"),
    hold,
  };
  const read = Object.fromEntries(await countRowsRead({ pool, owner: world.owner }, reads));
  expect(claimed).toEqual([10, 0]);
  expect(read.due).toBeLessThan(200);
  expect(read.nothing).toBeLessThan(50);
  expect(read.walk).toBeGreaterThanOrEqual(WAITING);
  expect(read.hold).toBeLessThan(50);

  await insertFailed(WAITING, `'${full.id}'`, "now()");
  for (const [name, rows] of await countRowsRead({ pool, owner: world.owner }, { "beside a full queue": poll }))
    expect(rows, name).toBeLessThan(1_100);
});

test("a replica does not wait behind merchants that another one has served", async () => {
  await world.owner.query("delete from deliveries");
  const [one, other] = [claims(), claims()];
  await insertEvents(100, "'mer_a_' || n");
  await insertFailed(100, "'mer_a_' || n", "now() - interval '1 second'");
  expect(await other({ queues: [], otherFree: 0 })).toEqual([]);
  for (let claimed = 1; claimed > 0; ) claimed = (await one({ queues: [], otherFree: 32 })).length;

  await insertEvents(1, "'mer_b'");
  await insertFailed(1, "'mer_b'", "now() - interval '1 second'");
  const next = await other({ queues: [], otherFree: 32 });
  expect(next.map(({ merchant_id }) => merchant_id)).toEqual(["mer_b"]);
});
