import { aMerchant, randomId } from "@collect/testing";
import { expect, test } from "vitest";
import { forgetResponses } from "../src/store/attempt-log.ts";
import { deleteChallenges } from "../src/store/challenges.ts";
import { useWebhooksWorld } from "./service.ts";

// No replica: its own worker would forget the same rows.
const world = await useWebhooksWorld();

test("responses are forgotten past their retention, a batch at a time; attempts with their status stay", async () => {
  const { id } = aMerchant();
  await world.owner.query(
    `with made as (
       insert into deliveries (merchant_id, mode, sequence, url, status, next_attempt_at)
       select $1, 'test', n, 'https://shop.example/', 'delivered', null from generate_series(1, 5) n returning number, sequence)
     insert into attempts (delivery_number, attempt, started_at, duration_ms, status, response)
     select number, 1, clock_timestamp() - case when sequence = 5 then 29 else 31 end * interval '1 day', 5, 200, 'Ada Obi' from made`,
    [id],
  );
  const limits = { days: 30, max: 3 };
  expect(await forgetResponses(world.pool, limits)).toBe(3);
  expect(await forgetResponses(world.pool, limits)).toBe(1);
  expect(await forgetResponses(world.pool, limits)).toBe(0);
  const { rows } = await world.owner.query(
    `select a.status, a.response from attempts a join deliveries d on d.number = a.delivery_number
     where d.merchant_id = $1 order by d.sequence`,
    [id],
  );
  expect(rows).toEqual([...Array(4).fill({ status: 200, response: null }), { status: 200, response: "Ada Obi" }]);
});

test("challenges past their retention are deleted, and no others", async () => {
  const host = randomId("host");
  await world.owner.query(
    `insert into challenges (merchant_id, mode, url, host, sent_at)
     select 'mer_1', 'live', 'https://shop.example/', $1, clock_timestamp() - n * interval '20 days' from generate_series(1, 2) n`,
    [host],
  );
  expect(await deleteChallenges(world.pool, { days: 30, max: 10 })).toBe(1);
  const { rows } = await world.owner.query("select count(*) from challenges where host = $1", [host]);
  expect(rows[0].count).toBe(1n);
});
