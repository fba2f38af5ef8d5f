import { cancelReplay } from "@collect/contracts";
import { aMerchant, startReceiver, until, type WebhookReceiver, type World } from "@collect/testing";
import { beforeEach, expect, test } from "vitest";
import { enqueueBatch } from "../src/store/replays.ts";
import { endedAs, lastReplay, merchantWithHistory, recordedEvents, replayRange, untilReplayed } from "./history.ts";
import { deliveriesOf, openForOneTest, type Replicas, setUrl, untilStatuses } from "./service.ts";

let world: World;
let receiver: WebhookReceiver;
let replicas: Replicas;
beforeEach(async () => {
  ({ world, receiver, replicas } = await openForOneTest());
  await replicas.start();
});

const withHistory = (count: number, status = "delivered", attempts = 1) =>
  merchantWithHistory(world, { url: receiver.url, count, status, attempts });

const sequencesGot = () => receiver.received.map(({ headers }) => Number(headers["x-service-sequence"]));

test("a range is enqueued completely, in the background, and reports its progress", async () => {
  const merchant = await withHistory(450);
  const started = await replayRange(world, merchant, 11, 2_000);
  expect(started).toMatchObject({
    from_sequence: 11,
    to_sequence: 450,
    at_sequence: 10,
    replayed: 0,
    status: "running",
  });
  expect(started.id).toMatch(/^rpl_/);
  await receiver.count(440);
  expect(await untilReplayed(world, merchant)).toMatchObject({ id: started.id, at_sequence: 450, replayed: 440 });
  await untilStatuses(world, merchant, ...Array(450).fill("delivered"));
  expect(sequencesGot().sort((a, b) => a - b)).toEqual(Array.from({ length: 440 }, (_, n) => n + 11));
});

test("only_undelivered skips acknowledged events", async () => {
  const merchant = await withHistory(10);
  await world.owner.query("update deliveries set status = 'exhausted' where merchant_id = $1 and sequence in (3, 7)", [
    merchant.id,
  ]);
  await replayRange(world, merchant, 1, 10, true);
  expect(await untilReplayed(world, merchant)).toMatchObject({ at_sequence: 10, replayed: 2 });
  await untilStatuses(world, merchant, ...Array(10).fill("delivered"));
  expect(sequencesGot().sort()).toEqual([3, 7]);
});

test("a replay that a process leaves unfinished is finished by another, with each event enqueued once", async () => {
  const merchant = await withHistory(1_000);
  await replicas.stop();
  await replicas.start();
  await replayRange(world, merchant, 1, 1_000);
  await until("some are enqueued", async () => ((await lastReplay(world, merchant))?.at_sequence ?? 0) >= 200);
  await replicas.stop();
  const { rows } = await world.owner.query<{ at_sequence: bigint; replayed: bigint; again: bigint }>(
    `select at_sequence, replayed, (select count(*) from deliveries where attempts_before > 0) as again from replays`,
  );
  expect(rows[0]?.replayed).toBe(rows[0]?.at_sequence);
  expect(rows[0]?.again).toBe(rows[0]?.at_sequence);
  await replicas.start();
  await replicas.start();
  expect(await untilReplayed(world, merchant)).toMatchObject({ replayed: 1_000 });
  await untilStatuses(world, merchant, ...Array(1_000).fill("delivered"));
  const { rows: rounds } = await world.owner.query("select distinct attempts_before, attempts from deliveries");
  expect(rounds).toEqual([{ attempts_before: 1, attempts: 2 }]);
});

test("a batch that crashes leaves neither progress nor deliveries", async () => {
  const merchant = await withHistory(5);
  await replicas.stop();
  await world.owner.query(
    `insert into replays (id, merchant_id, mode, from_sequence, to_sequence, only_undelivered, at_sequence) values ('rpl_1', $1, $2, 1, 5, false, 0)`,
    [merchant.id, merchant.mode],
  );
  await world.owner.query("alter table replays add constraint breaks check (at_sequence < 5) not valid");
  await expect(enqueueBatch(world.pool, { batchMax: 10, backlogMax: 10, leaseMs: 60_000 })).rejects.toThrow(/breaks/);
  expect((await deliveriesOf(world, merchant)).map(({ status }) => status)).toEqual(Array(5).fill("delivered"));
  await world.owner.query("alter table replays drop constraint breaks");
  expect(await enqueueBatch(world.pool, { batchMax: 10, backlogMax: 10, leaseMs: 60_000 })).toMatchObject({
    status: "done",
  });
});

test("concurrent workers enqueue every event once", async () => {
  await replicas.stop();
  const merchants = await Promise.all([withHistory(300), withHistory(300)]);
  for (const [n, { id, mode }] of merchants.entries())
    await world.owner.query(
      `insert into replays (id, merchant_id, mode, from_sequence, to_sequence, only_undelivered, at_sequence) values ($3, $1, $2, 1, 300, false, 0)`,
      [id, mode, `rpl_${n}`],
    );
  // A worker that finds both taken has nothing to do yet.
  const areDone = async () => (await world.owner.query("select from replays where status <> 'done'")).rowCount === 0;
  const work = async () => {
    let seen = 0;
    while (!(await areDone()))
      if (await enqueueBatch(world.pool, { batchMax: 20, backlogMax: 1_000, leaseMs: 60_000 })) seen++;
    return seen;
  };
  const enqueued = await Promise.all([work(), work(), work(), work()]);
  expect(enqueued.reduce((sum, n) => sum + n, 0)).toBe(30);
  const { rows } = await world.owner.query("select replayed, status from replays");
  expect(rows).toEqual([
    { replayed: 300n, status: "done" },
    { replayed: 300n, status: "done" },
  ]);
});

test("a replay to a receiver that hangs waits, and does not block other merchants' replays", async () => {
  const slow = await withHistory(1_200);
  const held: (() => void)[] = [];
  receiver.behave((response) => void held.push(() => response.end()));
  await replayRange(world, slow, 1, 1_200);
  await receiver.count(8);
  const other = await startReceiver();
  const merchant = aMerchant();
  await setUrl(world, merchant, other.url);
  await recordedEvents(world, merchant, 3);
  await endedAs(world, merchant, "exhausted");
  await replayRange(world, merchant, 1, 3);
  await other.count(3);
  await untilReplayed(world, merchant);
  // The slow merchant's due and claimed deliveries are bounded, whatever the size of its range.
  expect((await lastReplay(world, slow))?.at_sequence).toBeLessThanOrEqual(400);
  receiver.behave((response) => void response.end());
  for (const answer of held) answer();
  await untilReplayed(world, slow);
  await other.stop();
});

test("a replay continues while the receiver fails, and everything is delivered once it recovers", async () => {
  const merchant = await withHistory(300, "exhausted", 4);
  let failures = 0;
  receiver.behave((response) => void response.writeHead(++failures > 100 ? 200 : 503).end());
  await replayRange(world, merchant, 1, 300);
  await untilReplayed(world, merchant);
  await until("each is delivered or exhausted", async () =>
    (await deliveriesOf(world, merchant)).every(({ status }) => status !== "pending"),
  );
  const rows = await deliveriesOf(world, merchant);
  expect(rows.filter(({ status }) => status === "delivered").length).toBeGreaterThanOrEqual(275);
  receiver.behave((response) => void response.end());
  await replayRange(world, merchant, 1, 300, true);
  await untilReplayed(world, merchant);
  await untilStatuses(world, merchant, ...Array(300).fill("delivered"));
});

test("one replay runs at a time: concurrent starts of the same are one, and another is refused until it is cancelled", async () => {
  receiver.behave(() => {});
  const merchant = await withHistory(1_500);
  const starts = await Promise.all([1, 2, 3].map(() => replayRange(world, merchant, 1, 1_500)));
  expect(new Set(starts.map(({ id }) => id)).size).toBe(1);
  for (const [from, to, undelivered] of [
    [1, 1_499],
    [2, 1_500],
    [1, 1_500, true],
  ] as const)
    await expect(replayRange(world, merchant, from, to, undelivered)).rejects.toMatchObject({ code: "replay_running" });
  const cancelled = await world.others.request(cancelReplay, { merchant });
  expect(cancelled.replay).toMatchObject({ status: "cancelled" });
  expect((await world.others.request(cancelReplay, { merchant })).replay).toEqual(cancelled.replay);
  expect(await replayRange(world, merchant, 1, 1)).toMatchObject({ status: "running" });
});

test("a replay ends when the URL is removed", async () => {
  receiver.behave(() => {});
  const merchant = await withHistory(1_500);
  await replayRange(world, merchant, 1, 1_500);
  await receiver.count(1);
  await setUrl(world, merchant, null);
  await world.owner.query(
    "update deliveries set status = 'superseded', next_attempt_at = null where status = 'pending'",
  );
  await until("it is cancelled", async () => (await lastReplay(world, merchant))?.status === "cancelled");
});
