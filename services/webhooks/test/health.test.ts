import { getWebhookHealth, type MerchantScope } from "@collect/contracts";
import { aMerchant } from "@collect/testing";
import { expect, test } from "vitest";
import { merchantWithHistory } from "./history.ts";
import { setUrl, useWebhooks } from "./service.ts";

const world = await useWebhooks({ pollMs: 3_600_000 });

const url = "http://127.0.0.1:9/hook";
const healthOf = (merchant: MerchantScope) => world.others.request(getWebhookHealth, { merchant });
const withHistory = (count: number) => merchantWithHistory(world, { url, count, status: "delivered" });

test("health counts failing and exhausted deliveries, and includes the last acknowledgment", async () => {
  const merchant = await withHistory(4);
  await world.owner.query(
    `update deliveries set status = case sequence when 2 then 'pending' else 'exhausted' end,
       next_attempt_at = case sequence when 2 then now() + interval '1 hour' end, created_at = '2026-11-21T08:00:00Z'
     where merchant_id = $1 and sequence in (2, 3)`,
    [merchant.id],
  );
  expect(await healthOf(merchant)).toEqual({
    url,
    unconfirmed_url: null,
    failing: 1,
    exhausted: 1,
    oldest_failing_at: "2026-11-21T08:00:00.000+00:00",
    last_delivered_at: "2026-11-21T09:30:00.100+00:00",
    ever_delivered: true,
    hold: null,
  });
});

const NOTHING = {
  url: null,
  unconfirmed_url: null,
  failing: 0,
  exhausted: 0,
  oldest_failing_at: null,
  last_delivered_at: null,
  ever_delivered: false,
  hold: null,
};

test("a merchant without an endpoint is healthy, and other merchants' deliveries are not counted", async () => {
  const { id } = await withHistory(1);
  expect(await healthOf({ id, mode: "live" })).toEqual(NOTHING);
  const merchant = aMerchant();
  expect(await healthOf(merchant)).toEqual(NOTHING);
  await setUrl(world, merchant, url);
  expect(await healthOf(merchant)).toEqual({ ...NOTHING, url });
});

test("health counts at most 1,000", async () => {
  const busy = await withHistory(1);
  await world.owner.query(
    `insert into deliveries (merchant_id, mode, sequence, url, kind, status, attempts, next_attempt_at)
     select $1, $2, n, 'u', case n % 3 when 0 then 'webhook.test' else 'collection.success' end,
       case when n > 1500 then 'exhausted' else 'pending' end, 1, case when n <= 1500 then now() + interval '1 hour' end
     from generate_series(1, 3000) n`,
    [busy.id, busy.mode],
  );
  expect(await healthOf(busy)).toMatchObject({ failing: 1_000, exhausted: 1_000 });
});
