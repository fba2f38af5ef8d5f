import type { MerchantScope } from "@collect/contracts";
import { aMerchant, countRowsRead, usePlans } from "@collect/testing";
import { expect, test } from "vitest";
import { walkToDue } from "../src/store/claiming.ts";
import { createClaims } from "../src/workers/claims.ts";
import { useWebhooksWorld } from "./service.ts";

const WAITING = 20_000;

const world = await useWebhooksWorld();
const pool = usePlans(world, { service: "webhooks" });

/** Deliveries whose first attempt has failed, each of the next of so many merchants. */
const insertFailed = (count: number, merchant: string, nextAttemptAt: string) =>
  world.owner.query(`
    insert into deliveries (merchant_id, mode, sequence, url, kind, attempts, next_attempt_at)
    select ${merchant}, 'live', n, 'https://x', 'collection.success', 1, ${nextAttemptAt} from generate_series(1, ${count}) n`);

test("a poll reads what is due, and merchants that wait for a retry only once in a while, though planned while nothing waited", async () => {
  const claim = createClaims({ pool, mode: "live", leaseMs: 60_000, pollMs: 3_600_000 });
  const full: MerchantScope = { id: aMerchant().id, mode: "live" };
  const queues = [{ merchantId: full.id, mode: full.mode, free: 0 }];
  const poll = () => claim({ queues, otherFree: 32 });
  expect(await poll()).toEqual([]);

  await world.owner.query("alter table deliveries set (autovacuum_enabled = false)");
  const merchant = aMerchant().id;
  await world.owner.query(`
    insert into endpoints (merchant_id, mode, url, secret) values ('${merchant}', 'live', 'https://x', 's');
    insert into events (merchant_id, mode, sequence, key, kind, reference, amount_kobo, body, created_at)
    select '${merchant}', 'live', n, 'k' || n, 'collection.success', 'col_' || n, 100, 'x', now() from generate_series(1, 10) n`);
  await insertFailed(WAITING, "'mer_' || n", "now() + interval '1 hour'");
  await insertFailed(10, `'${merchant}'`, "now()");
  const claimed: number[] = [];
  const reads = {
    due: async () => claimed.push((await poll()).length),
    nothing: async () => claimed.push((await poll()).length),
    walk: () => walkToDue(pool, "live"),
  };
  const read = Object.fromEntries(await countRowsRead({ pool, owner: world.owner }, reads));
  expect(claimed).toEqual([10, 0]);
  expect(read.due).toBeLessThan(200);
  expect(read.nothing).toBeLessThan(50);
  expect(read.walk).toBeGreaterThanOrEqual(WAITING);

  await insertFailed(WAITING, `'${full.id}'`, "now()");
  for (const [name, rows] of await countRowsRead({ pool, owner: world.owner }, { "beside a full queue": poll }))
    expect(rows, name).toBeLessThan(1_100);
});
