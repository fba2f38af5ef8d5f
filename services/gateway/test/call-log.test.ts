import { createPool } from "@collect/database";
import type { Logger } from "@collect/runtime";
import { randomId, startComponents, until, type World } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LoggedCall } from "../src/domain/call-log.ts";
import { createCallLog, deleteOldCalls, LOGGING, type Logging, RETENTION } from "../src/workers/call-log.ts";
import { createUsedKeys } from "../src/workers/used-keys.ts";
import { aShop, openGatewayWorld, startGateway } from "./gateway.ts";

let world: World;
beforeAll(async () => {
  world = await openGatewayWorld();
});
afterAll(() => world.close());

const aCall = (merchant_id: string, given: Partial<LoggedCall> = {}): LoggedCall => ({
  merchant_id,
  mode: "test",
  at: new Date(),
  request_id: "req-1",
  method: "GET",
  path: "/v1/balance",
  status: 200,
  outcome: "ok",
  code: null,
  duration_ms: 3,
  key: "sk_test_…3xYz",
  made: null,
  problem: null,
  query: null,
  body_type: null,
  body: null,
  ...given,
});

const countOf = async (merchant_id: string) => {
  const { rows } = await world.owner.query("select count(*)::int as n from api_calls where merchant_id = $1", [
    merchant_id,
  ]);
  return Number(rows[0]?.n);
};

/** A log that is written often, with its own connection, and its own log lines. */
function aLog(logging: Partial<Logging> = {}, now: () => number = () => 0) {
  const lines: object[] = [];
  const keep = (fields: object) => void lines.push(fields);
  const log: Logger = { info: keep, warn: keep, error: keep };
  const pool = createPool({
    url: world.database.service,
    service: "gateway",
    log: world.log,
    max: 1,
    settings: ["lock_timeout=50ms"],
  });
  const ofMerchant = { minuteMax: 1_000, waitingMax: 1_000, contentMax: 1_000 };
  const limits = { everyMs: 20, waitingMax: 1_000, batchMax: 100, ofMerchant, ...logging };
  return { ...createCallLog(pool, { log, logging: limits, now }), lines, pool };
}

test("calls beyond the size of the queue are dropped, and their number is logged", async () => {
  const id = randomId("mer");
  const { enqueue, component, lines, pool } = aLog({ waitingMax: 250, batchMax: 100 });
  for (let n = 0; n < 400; n++) enqueue(aCall(id));
  const stop = await startComponents([component]);
  await until("the queued calls are written", async () => (await countOf(id)) === 250);
  expect(lines).toEqual([{ dropped: 150 }]);
  // The queue has capacity again.
  enqueue(aCall(id));
  await stop();
  await pool.end();
  expect([await countOf(id), lines.length]).toEqual([251, 1]);
});

test("one merchant's flood is logged up to its share, reported in one line, and displaces no other merchant's calls", async () => {
  const [flooding, quiet] = [randomId("mer"), randomId("mer")];
  const ofMerchant = { minuteMax: 1_000, waitingMax: 40, contentMax: 1_000 };
  const { enqueue, component, lines, pool } = aLog({ waitingMax: 60, ofMerchant });
  for (let n = 0; n < 500; n++) enqueue(aCall(flooding, { mode: n % 2 ? "live" : "test" }));
  for (let n = 0; n < 20; n++) enqueue(aCall(quiet));
  const stop = await startComponents([component]);
  await until("both are written", async () => (await countOf(flooding)) === 40 && (await countOf(quiet)) === 20);
  expect(lines).toEqual([{ calls: 460 }]);
  // Written calls no longer count against the share.
  for (let n = 0; n < 10; n++) enqueue(aCall(flooding));
  await stop();
  await pool.end();
  expect(await countOf(flooding)).toBe(50);
});

test("a merchant's lines per minute are limited by mode and kind of key, however fast they are written", async () => {
  const id = randomId("mer");
  let time = 60_000;
  const { enqueue, component, lines, pool } = aLog(
    { ofMerchant: { minuteMax: 5, waitingMax: 1_000, contentMax: 5 } },
    () => time,
  );
  const flood = (given: Partial<LoggedCall>) => {
    for (let n = 0; n < 50; n++) enqueue(aCall(id, given));
  };
  flood({ key: "pk_test_…3xYz", status: 401 });
  flood({});
  flood({ mode: "live", key: "sk_live_…3xYz" });
  const stop = await startComponents([component]);
  await until("their shares are written", async () => (await countOf(id)) === 15);
  time += 59_999;
  flood({});
  await until("it is logged", () => lines.length === 2);
  time += 1;
  flood({});
  await stop();
  await pool.end();
  expect(await countOf(id)).toBe(20);
  expect(lines).toEqual([{ calls: 135 }, { calls: 50 }, { calls: 45 }]);
});

test("the first calls of a merchant's minute are stored with their content, and the others as lines without it", async () => {
  const [id, other] = [randomId("mer"), randomId("mer")];
  let time = 0;
  const { enqueue, component, pool } = aLog({ ofMerchant: { ...LOGGING.ofMerchant, contentMax: 2 } }, () => time);
  const sent = { query: "a=1", body_type: "application/json", body: "{}", problem: '{"detail":"No."}', made: "col_1" };
  const ofLive = { mode: "live", query: null, body_type: null, body: null } as const;
  for (let n = 0; n < 4; n++) enqueue(aCall(id, sent));
  enqueue(aCall(id, { ...sent, ...ofLive, key: "sk_live_…3xYz" }));
  enqueue(aCall(other, sent));
  time = 60_000;
  enqueue(aCall(id, sent));
  await component.stop();
  await pool.end();
  const stored = "select merchant_id, mode, query, body_type, body, problem::text, made from api_calls";
  const { rows } = await world.owner.query(`${stored} where merchant_id in ($1, $2) order by id`, [id, other]);
  const whole = { merchant_id: id, mode: "test", ...sent };
  const line = { ...whole, query: null, body: null, problem: null };
  expect(rows).toEqual([whole, whole, line, line, { ...whole, ...ofLive }, { ...whole, merchant_id: other }, whole]);
});

test("of rate-limited calls the first of each minute is logged, and the others are counted", async () => {
  const id = randomId("mer");
  let time = 0;
  const { enqueue, component, lines, pool } = aLog({}, () => time);
  const refused: Partial<LoggedCall> = { status: 429, outcome: "client_error", code: "rate_limited" };
  for (const minute of [0, 1]) {
    time = minute * 60_000;
    for (let n = 0; n < 10; n++) enqueue(aCall(id, refused));
    enqueue(aCall(id));
  }
  await component.stop();
  await pool.end();
  expect([await countOf(id), lines]).toEqual([4, [{ calls: 18 }]]);
});

test("while the database is blocked calls stay queued, and are then written once", async () => {
  const id = randomId("mer");
  const { enqueue, component, lines, pool } = aLog();
  const locking = await world.owner.connect();
  await locking.query("begin");
  await locking.query("lock table api_calls in access exclusive mode");
  for (let n = 0; n < 150; n++) enqueue(aCall(id));
  const stop = await startComponents([component]);
  await until("a write has failed", () => lines.length > 1);
  await locking.query("rollback");
  locking.release();
  await until("all are written", async () => (await countOf(id)) >= 150);
  await stop();
  await pool.end();
  expect(await countOf(id)).toBe(150);
});

test("a batch that the database permanently refuses is dropped, and later calls are logged", async () => {
  const id = randomId("mer");
  const { enqueue, component, lines, pool } = aLog({ batchMax: 2 });
  const impossible = aCall(id, { key: "sk_test_3xYz3xYz3xYz3xYz" });
  for (const call of [aCall(id), aCall(id), impossible, aCall(id), aCall(id)]) enqueue(call);
  const stop = await startComponents([component]);
  await until(
    "the others are written and the loss is logged",
    async () => (await countOf(id)) === 3 && lines.length >= 2,
  );
  expect(lines).toEqual([{ err: expect.any(Error) }, { dropped: 2 }]);
  await stop();
  await pool.end();
});

test("calls are kept for 7 days and then deleted in batches, by concurrent replicas", async () => {
  const id = randomId("mer");
  // Ids are in the order of the times, as they are for calls that are logged on arrival.
  await world.owner.query("truncate api_calls");
  await world.owner.query(
    `insert into api_calls (merchant_id, mode, at, request_id, method, path, status, outcome, duration_ms, key)
     select $1, 'test', clock_timestamp() - interval '7 days' + (n - 1000) * interval '1 minute' + interval '30 seconds',
       'req', 'GET', '/v1/balance', 200, 'ok', 3, 'sk_test_…3xYz' from generate_series(1, 1100) n`,
    [id],
  );
  const retention = { ...RETENTION, everyMs: 20, batchMax: 64, batchesMax: 3 };
  const stop = await startComponents([1, 2].map(() => deleteOldCalls(world.pool, { log: world.log, retention })));
  await until("older calls are deleted", async () => (await countOf(id)) <= 101);
  await stop();
  // The one that was half a minute short of seven days may have expired in the meantime.
  expect(await countOf(id)).toBeGreaterThanOrEqual(100);
  const { rows } = await world.owner.query(
    "select count(*)::int as old from api_calls where merchant_id = $1 and at < clock_timestamp() - interval '7 days 1 minute'",
    [id],
  );
  expect(rows).toEqual([{ old: 0 }]);
});

test("last uses are written in batches and never move backwards, and a locked key delays no others", async () => {
  const gateway = await startGateway(world);
  const { id } = await aShop(world);
  await gateway.stop();
  const { rows: keys } = await world.owner.query<{ id: bigint }>(
    "select id from api_keys where merchant_id = $1 order by id",
    [id],
  );
  const minute = Date.parse("2026-11-21T09:30:00Z") / 1_000;
  const uses = async () =>
    (await world.owner.query("select last_used_at from api_keys where merchant_id = $1 order by id", [id])).rows.map(
      ({ last_used_at }) => last_used_at,
    );
  const write = async (keyUses: [index: number, at: number][]) => {
    const { enqueue, component } = createUsedKeys(world.pool, { log: world.log });
    for (const [index, at] of keyUses) enqueue(keys[index]?.id ?? 0n, at);
    await component.stop();
  };
  const at = (time: string) => `2026-11-21T${time}:00.000+00:00`;
  await write([
    [0, minute],
    [0, minute + 59.9],
    [1, minute + 120],
  ]);
  expect(await uses()).toEqual([at("09:30"), at("09:32"), null, null]);
  await write([
    [0, minute + 300],
    [1, minute],
  ]);
  expect(await uses()).toEqual([at("09:35"), at("09:32"), null, null]);

  const roll = await world.owner.connect();
  try {
    await roll.query("begin");
    await roll.query("select from api_keys where id = $1 for update", [keys[0]?.id]);
    await write([
      [0, minute + 600],
      [2, minute],
    ]);
    expect(await uses()).toEqual([at("09:35"), at("09:32"), at("09:30"), null]);
  } finally {
    await roll.query("rollback");
    roll.release();
  }
});
