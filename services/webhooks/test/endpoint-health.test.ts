import {
  acknowledgeEndpointChanges,
  collectionSucceeded,
  listEndpointChanges,
  type MerchantScope,
  type WireResult,
} from "@collect/contracts";
import { aMerchant, startComponents, startReceiver, until, type WebhookReceiver } from "@collect/testing";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { FAILED_ATTEMPTS, FAILING, findFailing } from "../src/store/endpoint-health.ts";
import { watchEndpoints } from "../src/workers/endpoint-health.ts";
import { AT_ONCE, aCollection, deliveriesOf, setUrl, untilStatuses, useWebhooks } from "./service.ts";

/** Retried at once so often, then once more when the test says so: five attempts are the sign of a failure. */
const LATER_MS = 3_600_000;
const schedule = { delaysMs: [0, 0, 0, 0, LATER_MS, LATER_MS, LATER_MS], jitter: 0, retryAfterMaxMs: 0 };
const world = await useWebhooks({ ...AT_ONCE, schedule });
let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await startReceiver();
  return receiver.stop;
});

type Change = WireResult<typeof listEndpointChanges>["announcements"][number];

async function changesOf(merchant: MerchantScope): Promise<Change[]> {
  const { announcements } = await world.others.request(listEndpointChanges, {});
  return announcements.filter(({ merchant_id }) => merchant_id === merchant.id);
}
const untilChanged = (merchant: MerchantScope, state: Change["state"]) =>
  until(`the endpoint is ${state}`, async () => {
    const changes = await changesOf(merchant);
    return changes[0]?.state === state && changes;
  });
const acknowledge = (changes: Change[]) =>
  world.others.request(acknowledgeEndpointChanges, { keys: changes.map(({ key }) => key) });

/** The watch of two replicas. */
async function watch(): Promise<void> {
  for (let n = 0; n < 2; n++)
    onTestFinished(await startComponents([watchEndpoints(world.pool, { log: world.log, everyMs: 10 })]));
}
/** Several looks of the watch, after which nothing has changed. */
async function looked(): Promise<void> {
  const { pool, log } = world;
  let looks = 0;
  const counting = { query: (...given: Parameters<typeof pool.query>) => ++looks && pool.query(...given) };
  const stop = await startComponents([
    watchEndpoints(Object.assign(Object.create(pool), counting), { log, everyMs: 10 }),
  ]);
  await until("the watch has looked", () => looks > 6);
  await stop();
}

async function aLiveMerchant(mode: "live" | "test" = "live"): Promise<MerchantScope> {
  const merchant = aMerchant(mode);
  await setUrl(world, merchant, receiver.url);
  return merchant;
}
const pay = (merchant: MerchantScope, count = 1) =>
  world.others.publish(
    collectionSucceeded,
    Array.from({ length: count }, () => aCollection({ merchant })),
  );
const untilFailed = (merchant: MerchantScope) =>
  until("the deliveries have failed", async () => {
    const rows = await deliveriesOf(world, merchant);
    return rows.length > 0 && rows.every((row) => row.attempts >= FAILED_ATTEMPTS) && rows;
  });
/** Its retries, or its probe if it is held. */
async function retryNow({ id }: MerchantScope): Promise<void> {
  await world.owner.query(
    "update deliveries set next_attempt_at = now() where merchant_id = $1 and status = 'pending'",
    [id],
  );
  await world.owner.query("update holds set next_batch_at = now() where merchant_id = $1", [id]);
}
/** Again and again: the end of what was under way may say after this when it is tried next. */
async function untilRecovered(merchant: MerchantScope) {
  let retriedAt = Number.NEGATIVE_INFINITY;
  return until("the endpoint is recovered", async () => {
    if (performance.now() - retriedAt > RETRIED_AGAIN_MS) {
      await retryNow(merchant);
      retriedAt = performance.now();
    }
    const changes = await changesOf(merchant);
    return changes[0]?.state === "recovered" && changes;
  });
}
const RETRIED_AGAIN_MS = 2_000;

async function isTrying({ id }: MerchantScope): Promise<boolean> {
  const { rowCount } = await world.owner.query(
    "select from deliveries where merchant_id = $1 and status = 'pending' and (claimed or next_attempt_at <= now())",
    [id],
  );
  return rowCount !== 0;
}
const fail = (status = 500) => receiver.behave((response) => void response.writeHead(status).end("no"));
const recover = () => receiver.behave((response) => void response.end("ok"));

test("a failing endpoint is one change, however many events and attempts fail; its recovery is another", async () => {
  await watch();
  const merchant = await aLiveMerchant();
  fail(503);
  await pay(merchant, 3);
  const changes = await untilChanged(merchant, "failing");
  const { host } = new URL(receiver.url);
  expect(changes).toMatchObject([{ state: "failing", host, failure: "HTTP 503" }]);
  await pay(merchant, 2);
  await until("they wait or have failed", async () => (await deliveriesOf(world, merchant)).length === 5);
  await looked();
  expect(await changesOf(merchant)).toMatchObject(changes.map(({ key }) => ({ key })));
  await acknowledge(changes);
  await acknowledge(changes);
  const attempts = async () => (await deliveriesOf(world, merchant)).reduce((sum, { attempts }) => sum + attempts, 0);
  const before = await attempts();
  await retryNow(merchant);
  await until("one was tried again", async () => (await attempts()) > before);
  await looked();
  expect(await changesOf(merchant)).toEqual([]);

  // One that was still refused would wait for its own next attempt.
  await until("none is under way", async () => !(await isTrying(merchant)));
  recover();
  const recovered = await untilRecovered(merchant);
  expect(recovered).toMatchObject([{ state: "recovered", host, failure: null }]);
  await acknowledge(recovered);
  // And fails again: another change, with a key of its own.
  await untilStatuses(world, merchant, ...Array.from({ length: 5 }, () => "delivered"));
  fail();
  await pay(merchant);
  const again = await untilChanged(merchant, "failing");
  expect(again[0]?.key).not.toBe(changes[0]?.key);
});

test("one event that its server refuses is no failing endpoint while others are acknowledged", async () => {
  await watch();
  const merchant = await aLiveMerchant();
  receiver.behave(
    (response, { headers }) => void response.writeHead(headers["x-service-sequence"] === "1" ? 500 : 200).end(),
  );
  await pay(merchant);
  await until(
    "its first attempt has failed",
    async () => ((await deliveriesOf(world, merchant))[0]?.attempts ?? 0) > 0,
  );
  await pay(merchant);
  await until("the other is acknowledged and the first has failed often", async () => {
    const [refused, other] = await deliveriesOf(world, merchant);
    return other?.status === "delivered" && (refused?.attempts ?? 0) >= FAILED_ATTEMPTS;
  });
  const before = await changesOf(merchant);
  await looked();
  // If the other came later than five attempts of the first, the failure was real, and has ended.
  expect((await changesOf(merchant)).filter(({ state }) => state === "failing")).toEqual([]);
  expect(before.length).toBeLessThanOrEqual(1);
});

test("fewer attempts, and a test endpoint, are not announced", async () => {
  const [merchant, inTest] = [await aLiveMerchant(), await aLiveMerchant("test")];
  fail();
  await pay(inTest);
  await untilFailed(inTest);
  let attempts = 0;
  receiver.behave((response) => void response.writeHead(++attempts < FAILED_ATTEMPTS ? 500 : 200).end());
  await pay(merchant);
  await untilStatuses(world, merchant, "delivered");
  await looked();
  expect([await changesOf(merchant), await changesOf(inTest)]).toEqual([[], []]);
});

test("a removed URL ends the failure without a mail, and a new one begins anew", async () => {
  await watch();
  const merchant = await aLiveMerchant();
  fail();
  await pay(merchant);
  await acknowledge(await untilChanged(merchant, "failing"));
  await setUrl(world, merchant, null);
  await until("the failure has ended", async () => {
    const { rows } = await world.owner.query("select state from endpoint_health where merchant_id = $1", [merchant.id]);
    return rows[0]?.state === "removed";
  });
  expect(await changesOf(merchant)).toEqual([]);
  await setUrl(world, merchant, receiver.url);
  await pay(merchant);
  await untilChanged(merchant, "failing");
});

test("looking for failing endpoints reads few rows, though one merchant has many that wait", async () => {
  const busy = aMerchant("live");
  await world.owner.query(
    "insert into endpoints (merchant_id, mode, url, secret) values ($1, 'live', 'https://x', 's')",
    [busy.id],
  );
  await world.owner.query(
    `with made as (
       insert into deliveries (merchant_id, mode, sequence, url, kind, status, attempts, next_attempt_at)
       select $1, 'live', n, 'https://x', 'collection.success', case when n > 20000 then 'pending' else 'delivered' end, 6,
         case when n > 20000 then now() + interval '1 hour' end from generate_series(1, 40000) n returning number, status)
     insert into attempts (delivery_number, attempt, started_at, duration_ms, status)
     select number, a, now() - interval '2 hours' + a * interval '1 second' + case status when 'pending' then interval '1 hour' else '0' end,
       10, case status when 'pending' then 500 else 200 end from made, generate_series(1, 6) a`,
    [busy.id],
  );
  await world.owner.query("vacuum analyze deliveries, attempts, endpoints");
  const { rows } = await world.pool.query(`explain (analyze, buffers, format json) ${FAILING}`);
  const buffers = Object(rows[0])["QUERY PLAN"][0].Plan["Shared Hit Blocks"];
  expect(buffers).toBeLessThan(500);
  expect((await findFailing(world.pool)).map(({ merchant_id }) => merchant_id)).toContain(busy.id);
});
