import type { MerchantScope } from "@collect/contracts";
import { createPool, KEY_LOOKUPS_ONLY, type Pool } from "@collect/database";
import { aMerchant, randomId, type World } from "@collect/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AttemptResult } from "../src/domain/job.ts";
import { moveToCurrentUrl, releaseDeliveries, storeResults } from "../src/store/deliveries.ts";
import { type DeliveriesAsked, pageOfDeliveries } from "../src/store/delivery-log.ts";
import {
  type EventsAsked,
  eventsAbout,
  eventsFollowing,
  eventsOf,
  findNamedEvent,
  lastSequences,
  pageOfEvents,
} from "../src/store/event-log.ts";
import { healthOf } from "../src/store/health.ts";
import { claimBatches, claimBeside, finishBatch, reviveExhausted } from "../src/store/hold-batches.ts";
import { adoptHeld, beginHolds, findSilent } from "../src/store/holds.ts";
import { enqueueBatch, insertReplay, replayOne } from "../src/store/replays.ts";
import { setEndpoint } from "../src/store/webhook-endpoints.ts";
import { createdAt, fillLogs, ROWS } from "./full-logs.ts";
import { claimDue, openWebhooks } from "./service.ts";

/** A page with its look-ups reads a few rows for each line of each kind and status; no walk reads as few. */
const READ_MAX = 1_000;

let world: World;
/** One connection, so that its plans are the ones that were made first. */
let pool: Pool;
/** As people's lists have it. */
let lists: Pool;

beforeEach(async () => {
  world = await openWebhooks();
  pool = createPool({
    url: world.database.service,
    service: "webhooks",
    log: world.log,
    max: 1,
    settings: KEY_LOOKUPS_ONLY,
  });
  lists = createPool({ url: world.database.service, service: "webhooks", log: world.log, max: 1 });
});
afterEach(async () => {
  await Promise.all([pool.end(), lists.end()]);
  await world.close();
});

const FIRST = {
  ...{ page: { below: "9223372036854775807", span: undefined }, rows: 11 },
  ...{ search: undefined, number: undefined, selected: undefined },
};
/** A hundred of the rows, far from both ends. */
const aSpan = { page: { below: "0", span: { from: createdAt(9_000), before: createdAt(9_100) } } };
const events = (asked: Partial<EventsAsked>) => (merchant: MerchantScope) =>
  pageOfEvents(lists, merchant, { ...FIRST, event: undefined, ...asked });
const deliveries = (asked: Partial<DeliveriesAsked>) => (merchant: MerchantScope) =>
  pageOfDeliveries(lists, merchant, {
    ...FIRST,
    event: undefined,
    statuses: ["pending", "delivered", "exhausted", "superseded"],
    onlyFailing: false,
    ...asked,
  });

const READS: Record<string, (merchant: MerchantScope) => Promise<unknown>> = {
  "all events": events({}),
  "events of a kind that never happened": events({ event: "transfer.success" }),
  "events of a kind that always happens": events({ event: "collection.success" }),
  "events of a reference": events({ search: "col_77" }),
  "events of a day": events(aSpan),
  "events of a day, of a kind that never happened": events({ ...aSpan, event: "transfer.success" }),
  "events of a day, of a reference": events({ ...aSpan, search: "col_9050" }),
  "deliveries of a day": deliveries(aSpan),
  "deliveries of a day in a status that none has": deliveries({ ...aSpan, statuses: ["exhausted"] }),
  "deliveries in a status that none has, since a day": deliveries({
    page: { below: "0", span: { from: createdAt(100), before: "infinity" } },
    statuses: ["exhausted"],
  }),
  "deliveries of a day, of a reference": deliveries({ ...aSpan, search: "col_9050" }),
  "selected events": events({ selected: ["7", "8"] }),
  "selected deliveries": deliveries({ selected: ["7", "8"] }),
  "all deliveries": deliveries({}),
  "deliveries of a kind that never happened": deliveries({ event: "transfer.success" }),
  "deliveries of a kind that always happens": deliveries({ event: "collection.success" }),
  "deliveries in a status that none has": deliveries({ statuses: ["exhausted"] }),
  "deliveries that fail": deliveries({ statuses: ["pending"], onlyFailing: true }),
  "deliveries of a reference": deliveries({ search: "col_77" }),
  health: (merchant) => healthOf(lists, merchant),
  "what is said of a reference": (merchant) => eventsAbout(lists, merchant, "col_77"),
  "the events that follow": (merchant) =>
    eventsFollowing(lists, merchant, { after: ROWS / 2, rows: 11, kind: undefined }),
  "the events of a kind that never happened that follow": (merchant) =>
    eventsFollowing(lists, merchant, { after: ROWS / 2, rows: 11, kind: "transfer.success" }),
  "the last number": (merchant) => lastSequences(lists, { mode: merchant.mode, merchantIds: [merchant.id] }),
  "the events of collections": (merchant) =>
    eventsOf(lists, merchant, { references: ["col_77", "col_78"], kind: "collection.success" }),
  "the event a body names": (merchant) =>
    findNamedEvent(lists, merchant, { kind: "transfer.success", reference: "col_77" }),
};

/** They need a delivery, an endpoint or a replay to be planned at all. */
const WRITES: Record<string, (merchant: MerchantScope) => Promise<unknown>> = {
  "a replay of one": (merchant) => replayOne(pool, merchant, 7),
  "a batch of a replay": async (merchant) => {
    await insertReplay(pool, merchant, { id: randomId("rpl"), from: 1, to: ROWS, onlyUndelivered: true });
    return enqueueBatch(pool, { batchMax: 20, backlogMax: 20, leaseMs: 60_000 });
  },
  "a claim": () => claimDue(pool, { otherFree: 20 }),
  "a move": () => moveToCurrentUrl(pool, [7n]),
};

async function rowsRead(by: Pool): Promise<number> {
  await by.query("select pg_stat_force_next_flush()");
  const { rows } = await world.owner.query<{ read: bigint }>(
    "select sum(idx_tup_read)::bigint + (select sum(seq_tup_read) from pg_stat_user_tables)::bigint as read from pg_stat_user_indexes",
  );
  return Number(rows[0]?.read);
}

test.each([
  ["were never analyzed", []],
  ["were analyzed as empty", ["vacuum analyze events, deliveries, attempts, endpoints"]],
])("the path of money reads few rows of full tables, though planned while they %s", async (_, before) => {
  const merchant: MerchantScope = { id: aMerchant().id, mode: "test" };
  // A new count of the rows would make new plans.
  for (const table of ["events", "deliveries"])
    await world.owner.query(`alter table ${table} set (autovacuum_enabled = false)`);
  for (const sql of before) await world.owner.query(sql);
  const first = aMerchant();
  await world.owner.query(
    "insert into endpoints (merchant_id, mode, url, secret) values ($1, 'test', 'https://x', 's'), ($2, $3, 'https://x', 's')",
    [merchant.id, first.id, first.mode],
  );
  for (const write of Object.values(WRITES)) await write(first);
  await fillLogs(world.owner, merchant);
  expect(await readingTooMuch(pool, WRITES, merchant)).toEqual({});
});

/** Of a merchant whose deliveries are all held, but for what these take. */
const OF_HELD: Record<string, (merchant: MerchantScope) => Promise<unknown>> = {
  "a claim": () => claimDue(pool, { otherFree: 20 }),
  "a batch": () => claimBatches(pool, { mode: "test", leaseMs: 60_000 }),
  "the newest event": ({ id: merchant_id, mode }) =>
    claimBeside(pool, { merchant_id, mode, number: 1n, isNewest: true }, 60_000),
  "another event": ({ id: merchant_id, mode }) =>
    claimBeside(pool, { merchant_id, mode, number: 1n, isNewest: false }, 60_000),
  "the end of a batch": ({ id: merchant_id, mode }) =>
    finishBatch(pool, {
      ...{
        merchant_id,
        mode,
        batch: 1n,
        state: "held",
        batchSize: 1,
        probes: 0,
        rate: null,
        rateOverMs: 0,
        waitMs: 60_000,
        attempted: true,
      },
      finishedAt: new Date(),
      refused: [{ number: 1n, retryInMs: 60_000 }],
    }),
  "what was given up": (merchant) => reviveExhausted(pool, merchant),
  "a hold that begins": ({ id: merchantId, mode }) =>
    beginHolds(pool, [{ merchantId, mode, since: "2026-11-21T09:30:00.000+00:00" }], 60_000),
  "queues of held endpoints": ({ id: merchantId, mode }) => findSilent(pool, [{ merchantId, mode }]),
  "what is held without a hold": ({ mode }) => adoptHeld(pool, mode),
};

test("held deliveries are taken few at a time and are not read otherwise, though planned while nothing was held", async () => {
  const merchant: MerchantScope = { id: aMerchant().id, mode: "test" };
  await world.owner.query("alter table deliveries set (autovacuum_enabled = false)");
  await setEndpoint(pool, { merchant, url: "https://x", secret: "whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV" });
  for (const work of Object.values(OF_HELD)) await work(merchant);
  await fillLogs(world.owner, merchant);
  await world.owner.query(`
    insert into deliveries (number, merchant_id, mode, sequence, url, kind)
      select ${ROWS} + n, '${merchant.id}', 'test', n, 'https://y', 'collection.success' from generate_series(1, ${ROWS}) n;
    insert into holds (merchant_id, mode, state, batch_size, next_batch_at) values ('${merchant.id}', 'test', 'releasing', 100, now())`);
  await world.owner.query("select pg_stat_force_next_flush()");
  expect(await readingTooMuch(pool, OF_HELD, merchant)).toEqual({});
  const { rows } = await world.owner.query("select count(*)::integer from deliveries where claimed");
  expect(rows).toEqual([{ count: 102 }]);
});

test("lists are planned for what is asked, and read few rows of full tables that have been counted", async () => {
  const merchant: MerchantScope = { id: aMerchant().id, mode: "test" };
  await fillLogs(world.owner, merchant);
  await world.owner.query("vacuum analyze");
  // Or what it read is counted a moment later, with the first of the reads.
  await world.owner.query("select pg_stat_force_next_flush()");
  expect(await readingTooMuch(lists, READS, merchant)).toEqual({});
});

/** What read more rows than a page takes, and how many. */
async function readingTooMuch(
  by: Pool,
  works: Record<string, (merchant: MerchantScope) => Promise<unknown>>,
  merchant: MerchantScope,
): Promise<Record<string, number>> {
  const tooMany: Record<string, number> = {};
  for (const [name, work] of Object.entries(works)) {
    const earlier = await rowsRead(by);
    await work(merchant);
    const rows = (await rowsRead(by)) - earlier;
    if (rows > READ_MAX) tooMany[name] = rows;
  }
  return tooMany;
}

const delivered = (number: bigint): AttemptResult => ({
  number,
  attempt: 1,
  startedAt: "2026-11-21T09:30:00.000+00:00",
  durationMs: 5,
  status: 200,
  error: null,
  response: null,
  outcome: "delivered",
  retryInMs: null,
  retryAfterMs: undefined,
});

test.each([
  ["results are stored", (numbers: bigint[]) => storeResults(pool, numbers.map(delivered))],
  ["deliveries are released", (numbers: bigint[]) => releaseDeliveries(pool, numbers)],
  ["deliveries are moved", (numbers: bigint[]) => moveToCurrentUrl(pool, numbers)],
])("%s by their numbers, though nothing was pending when that was planned and a backlog is now", async (_, work) => {
  const merchant: MerchantScope = { id: aMerchant().id, mode: "test" };
  await setEndpoint(pool, { merchant, url: "https://x", secret: "whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV" });
  await world.owner.query("alter table deliveries set (autovacuum_enabled = false)");
  await fillLogs(world.owner, merchant);
  await world.owner.query("vacuum analyze deliveries");
  for (let times = 0; times < 10; times++) await work([7n]);
  // On one connection, which counts what it read before it is counted here.
  await world.owner.query(`
    update deliveries set status = 'pending', claimed = true, next_attempt_at = now() + interval '1 hour';
    select pg_stat_force_next_flush()`);
  const numbers = Array.from({ length: 50 }, (_, n) => BigInt(n * 100 + 1));
  const earlier = await rowsRead(pool);
  await work(numbers);
  expect((await rowsRead(pool)) - earlier).toBeLessThan(READ_MAX);
});
