import { createPool, KEY_LOOKUPS_ONLY } from "@collect/database";
import { expect, onTestFinished, test } from "vitest";
import { collectionSuccess } from "../src/domain/event.ts";
import { recordEvents } from "../src/store/events.ts";
import { aCollection, useWebhooksWorld } from "./service.ts";

const world = await useWebhooksWorld();

test("a new event reads at most its own simulated responses, though planned while there were none", async () => {
  const settings = KEY_LOOKUPS_ONLY;
  const pool = createPool({ url: world.database.service, service: "webhooks", log: world.log, max: 1, settings });
  onTestFinished(() => pool.end());
  await world.owner.query("alter table simulated_responses set (autovacuum_enabled = false)");
  await world.owner.query("vacuum analyze simulated_responses");
  const record = () => recordEvents(pool, [collectionSuccess(aCollection(), new Date())], 60_000);
  await record();
  await world.owner.query(
    `insert into simulated_responses (event_key, merchant_id, mode, responses)
     select 'k' || n, 'm', 'test', '{receiver_fails}' from generate_series(1, 20000) n`,
  );
  const read = async () => {
    for (const by of [world.owner, pool]) await by.query("select pg_stat_force_next_flush()");
    const { rows } = await world.owner.query<{ read: string }>(
      "select idx_tup_fetch + seq_tup_read as read from pg_stat_user_tables where relname = 'simulated_responses'",
    );
    return Number(rows[0]?.read);
  };
  const earlier = await read();
  await record();
  expect((await read()) - earlier).toBeLessThanOrEqual(1);
});
