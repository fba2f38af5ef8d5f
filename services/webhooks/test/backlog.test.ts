import { countRowsRead, usePlans } from "@collect/testing";
import { expect, test } from "vitest";
import { countHeld, countWaiting } from "../src/store/backlog.ts";
import { useWebhooksWorld } from "./service.ts";

const world = await useWebhooksWorld();
const pool = usePlans(world, { service: "webhooks" });

/** Deliveries of one merchant, by their status and whether they have a time. */
const insert = (mode: string, count: number, status: string, at: "now()" | "null") =>
  world.owner.query(`
    insert into deliveries (merchant_id, mode, sequence, url, status, next_attempt_at)
    select 'mer_1', '${mode}', n, '${status} ${at}', '${status}', ${at} from generate_series(1, ${count}) n`);

test("what waits and what is held is counted by mode, without reading what is delivered", async () => {
  const counts = { waiting: () => countWaiting(pool), held: () => countHeld(pool) };
  expect([await counts.waiting(), await counts.held()]).toEqual([[], []]);
  await insert("live", 20_000, "delivered", "null");
  await insert("live", 7, "pending", "now()");
  await insert("test", 3, "pending", "now()");
  await insert("live", 5, "pending", "null");
  expect(Object.fromEntries((await counts.waiting()).map(({ mode, count }) => [mode, count]))).toEqual({
    live: 7,
    test: 3,
  });
  expect(await counts.held()).toEqual([{ mode: "live", count: 5 }]);
  for (const [name, rows] of await countRowsRead({ pool, owner: world.owner }, counts))
    expect(rows, name).toBeLessThan(100);
});
