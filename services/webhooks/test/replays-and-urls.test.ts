import type { MerchantScope } from "@collect/contracts";
import { replayEvent, startReplay } from "@collect/contracts";
import { aMerchant, until, type WebhookReceiver, type World } from "@collect/testing";
import { beforeEach, expect, test } from "vitest";
import { moveToCurrentUrl } from "../src/store/deliveries.ts";
import { enqueueBatch, insertReplay, replayOne } from "../src/store/replays.ts";
import { setEndpoint } from "../src/store/webhook-endpoints.ts";
import { merchantWithHistory, recordedEvents } from "./history.ts";
import { claimDue, deliveriesOf, openForOneTest, type Replicas, untilStatuses } from "./service.ts";

let world: World;
let receiver: WebhookReceiver;
let replicas: Replicas;
beforeEach(async () => {
  ({ world, receiver, replicas } = await openForOneTest());
});

const pointTo = (merchant: MerchantScope, path: string) =>
  setEndpoint(world.pool, {
    merchant,
    url: receiver.url + path,
    secret: "whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV",
  });
const makeDue = () =>
  world.owner.query("update deliveries set next_attempt_at = now(), claimed = false where status = 'pending'");
const claimAll = () => claimDue(world.pool, { otherFree: 100 });
const numbers = (due: { number: bigint }[]) => due.map(({ number }) => number);

async function waiting(path = "", count = 1): Promise<MerchantScope> {
  const merchant = aMerchant();
  await pointTo(merchant, path);
  await recordedEvents(world, merchant, count);
  return merchant;
}

/** One event that is pending at /a and at /b, while the URL is /c. */
async function waitingTwice(): Promise<MerchantScope> {
  const merchant = await waiting("/a");
  await pointTo(merchant, "/b");
  await replayOne(world.pool, merchant, 1);
  await pointTo(merchant, "/c");
  return merchant;
}

test("an event that is pending at two former URLs moves to the current one once, and does not block other merchants", async () => {
  const [merchant, other] = [await waitingTwice(), await waiting()];
  await makeDue();
  await replicas.start();
  await untilStatuses(world, other, "delivered");
  await untilStatuses(world, merchant, "superseded", "superseded", "delivered");
  expect(receiver.received.map(({ path }) => path).sort()).toEqual(["/hook", "/hook/c"]);
});

test("a move that fails affects only that merchant's deliveries", async () => {
  const [refused, moving, staying] = [await waiting("/a"), await waiting("/a"), await waiting()];
  await pointTo(refused, "/b");
  await pointTo(moving, "/b");
  await world.owner.query(
    `alter table deliveries add constraint breaks check (merchant_id <> '${refused.id}' or status <> 'superseded') not valid`,
  );
  await makeDue();
  await replicas.start();
  await untilStatuses(world, staying, "delivered");
  await untilStatuses(world, moving, "superseded", "delivered");
  expect(await deliveriesOf(world, refused)).toMatchObject([{ status: "pending", attempts: 0 }]);
});

test("a URL that is restored between the claim and the move leaves the delivery unchanged", async () => {
  const merchant = await waiting("/a", 2);
  await pointTo(merchant, "/b");
  await makeDue();
  const due = await claimAll();
  await pointTo(merchant, "/a");
  await moveToCurrentUrl(world.pool, numbers(due));
  expect((await deliveriesOf(world, merchant)).map(({ status }) => status)).toEqual(["pending", "pending"]);
});

test("a delivery that was moved while claimed can be replayed once the URL is back, alone and as a range", async () => {
  const merchant = await waiting("/a", 3);
  await makeDue();
  await pointTo(merchant, "/b");
  await moveToCurrentUrl(world.pool, numbers(await claimAll()));
  // As left by a release whose moves did not end the claim.
  await world.owner.query("update deliveries set claimed = true where status = 'superseded'");
  await world.owner.query(
    "update deliveries set status = 'delivered', next_attempt_at = null where status = 'pending'",
  );
  await pointTo(merchant, "/a");
  await replicas.start();
  expect(await world.others.request(replayEvent, { merchant, sequence: 1 })).toMatchObject({ status: "pending" });
  await world.others.request(startReplay, { merchant, from_sequence: 2, to_sequence: 3, only_undelivered: false });
  const got = await receiver.count(3);
  expect(new Set(got.map(({ path }) => path))).toEqual(new Set(["/hook/a"]));
  await until("all at /a are delivered", async () =>
    (await deliveriesOf(world, merchant))
      .filter(({ url }) => url.endsWith("/a"))
      .every((d) => d.status === "delivered"),
  );
});

test("a claim ends with the move", async () => {
  const merchant = await waiting("/a");
  await makeDue();
  await pointTo(merchant, "/b");
  await moveToCurrentUrl(world.pool, numbers(await claimAll()));
  const { rows } = await world.owner.query("select claimed from deliveries where status = 'superseded'");
  expect(rows).toEqual([{ claimed: false }]);
});

test("a replay that fails goes to the end of the queue, and other replays continue", async () => {
  const [bad, good] = await Promise.all(
    [1, 2].map(() => merchantWithHistory(world, { url: receiver.url, count: 3, status: "delivered" })),
  );
  if (!bad || !good) throw new Error("there are two");
  await world.owner.query(
    `alter table deliveries add constraint breaks check (merchant_id <> '${bad.id}' or status <> 'pending') not valid`,
  );
  await insertReplay(world.pool, bad, { id: "rpl_bad", from: 1, to: 3, onlyUndelivered: false });
  await insertReplay(world.pool, good, { id: "rpl_good", from: 1, to: 3, onlyUndelivered: false });
  const next = () => enqueueBatch(world.pool, { batchMax: 10, backlogMax: 10, leaseMs: 60_000 });
  await expect(next()).rejects.toThrow(/breaks/);
  expect(await next()).toMatchObject({ id: "rpl_good", status: "done" });
});
