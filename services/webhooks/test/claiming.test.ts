import { collectionSucceeded, type MerchantScope } from "@collect/contracts";
import { aMerchant, until, type WebhookReceiver, type World } from "@collect/testing";
import { beforeEach, expect, test } from "vitest";
import { collectionSuccess } from "../src/domain/event.ts";
import { recordEvents } from "../src/store/events.ts";
import { claimBatches } from "../src/store/hold-batches.ts";
import { setEndpoint } from "../src/store/webhook-endpoints.ts";
import {
  AT_ONCE,
  aCollection,
  claimDue,
  deliveriesOf,
  openForOneTest,
  type Replicas,
  setUrl,
  untilStatuses,
} from "./service.ts";

let world: World;
let receiver: WebhookReceiver;
let replicas: Replicas;
beforeEach(async () => {
  ({ world, receiver, replicas } = await openForOneTest());
});

async function anEndpoint(url = receiver.url): Promise<MerchantScope> {
  const merchant = aMerchant();
  await setUrl(world, merchant, url);
  return merchant;
}

/** Events as left by a process that crashes right after its commit: recorded, claimed, not sent. */
function recordAndCrash(merchant: MerchantScope, count: number, leaseMs: number) {
  const drafts = Array.from({ length: count }, () => collectionSuccess(aCollection({ merchant }), new Date()));
  return recordEvents(world.pool, drafts, leaseMs);
}

test("deliveries claimed by a crashed process are sent by another after the lease, and not before", async () => {
  await replicas.start();
  const merchant = await anEndpoint();
  await recordAndCrash(merchant, 3, 3_600_000);
  await recordAndCrash(merchant, 2, 100);
  await receiver.count(2);
  await untilStatuses(world, merchant, "pending", "pending", "pending", "delivered", "delivered");
  expect(receiver.received.map(({ headers }) => headers["x-service-sequence"]).sort()).toEqual(["4", "5"]);
});

test("three replicas never send one delivery concurrently", async () => {
  for (const _ of [1, 2, 3]) await replicas.start();
  const open = new Set<string>();
  let overlaps = 0;
  receiver.behave((response, { headers }) => {
    const number = String(headers["x-service-delivery"]);
    if (open.has(number)) overlaps++;
    open.add(number);
    setImmediate(() => {
      open.delete(number);
      response.writeHead(headers["x-service-attempt"] === "1" ? 500 : 200).end();
    });
  });
  const merchants = await Promise.all(Array.from({ length: 5 }, () => anEndpoint()));
  const collections = Array.from({ length: 300 }, (_, n) => aCollection({ merchant: merchants[n % 5] }));
  await world.others.publish(collectionSucceeded, collections);
  for (const merchant of merchants) await untilStatuses(world, merchant, ...Array(60).fill("delivered"));
  expect(overlaps).toBe(0);
  const sent = receiver.received.map(
    ({ headers }) => `${headers["x-service-delivery"]}/${headers["x-service-attempt"]}`,
  );
  expect(sent).toHaveLength(600);
  expect(new Set(sent).size).toBe(600);
});

test("a claim takes a share of each merchant, however many deliveries one of them has waiting", async () => {
  await replicas.start({ ...AT_ONCE, pollMs: 3_600_000 });
  const [busy, small, full] = [await anEndpoint(), await anEndpoint(), await anEndpoint()];
  // What is due of the full one hides the others from a look at the oldest.
  await recordAndCrash(full, 600, 0);
  await world.owner.query("update deliveries set claimed = false");
  await recordAndCrash(busy, 500, 0);
  await recordAndCrash(small, 1, 0);
  const queues = [{ merchantId: full.id, mode: full.mode, free: 0 }];
  const claims = await Promise.all([1, 2].map(() => claimDue(world.pool, { queues, otherFree: 10 })));
  const claimed = claims.flat();
  const of = (merchant: MerchantScope) => claimed.filter(({ merchant_id }) => merchant_id === merchant.id);
  expect(of(small)).toHaveLength(1);
  expect(of(full)).toHaveLength(0);
  expect(of(busy).length).toBeGreaterThanOrEqual(10);
  expect(new Set(claimed.map(({ number }) => number)).size).toBe(claimed.length);
});

test("a held endpoint stays due when another process claims its only delivery first", async () => {
  const merchant = aMerchant();
  await setEndpoint(world.pool, { merchant, url: receiver.url, secret: "whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV" });
  await recordAndCrash(merchant, 1, 0);
  const claim = () => claimBatches(world.pool, { mode: merchant.mode, leaseMs: 60_000 });
  const setNext = (at: string) => `update deliveries set next_attempt_at = now() + interval '${at}'`;
  await world.owner.query(
    "insert into holds (merchant_id, mode, state, next_batch_at) values ($1, $2, 'held', now())",
    [merchant.id, merchant.mode],
  );
  const other = await world.owner.connect();
  await other.query("begin");
  await other.query(setNext("1 hour"));
  const claiming = claim();
  await until("the claim waits for the delivery", async () => {
    const { rows } = await world.owner.query("select from pg_locks where not granted");
    return rows.length > 0;
  });
  await other.query("commit");
  other.release();
  expect(await claiming).toEqual([]);
  await world.owner.query(setNext("0"));
  expect(await claim()).toMatchObject([{ merchant_id: merchant.id, state: "held" }]);
});

test("a service that stops releases the deliveries it has not started", async () => {
  const held: (() => void)[] = [];
  receiver.behave((response) => void held.push(() => response.end()));
  await replicas.start();
  const merchant = await anEndpoint();
  await world.others.publish(
    collectionSucceeded,
    Array.from({ length: 40 }, () => aCollection({ merchant })),
  );
  await receiver.count(8);
  const stopped = replicas.stop();
  receiver.behave((response) => void response.end());
  for (const answer of held) answer();
  await stopped;
  const begun = receiver.received.length;
  expect((await deliveriesOf(world, merchant)).filter(({ status }) => status === "delivered")).toHaveLength(begun);
  await replicas.start();
  await until("a new process has sent the rest", () => receiver.received.length === 40);
});
