import { collectionSucceeded } from "@collect/contracts";
import { aMerchant, startReceiver, until } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import { AT_ONCE, aCollection, openWebhooks, setUrl, startWebhooks, untilStatuses } from "./service.ts";

const MERCHANTS = 10;
const EVENTS_EACH = 60;
const UNSTORED_MAX = 20;

test("while no result can be stored attempts stop at the limit of unstored results, and each event arrives once in the end", async () => {
  const world = await openWebhooks();
  onTestFinished(() => world.close());
  const receiver = await startReceiver();
  const stop = await startWebhooks(world, { ...AT_ONCE, unstoredMax: UNSTORED_MAX });
  onTestFinished(stop);
  onTestFinished(() => receiver.stop());
  const merchants = Array.from({ length: MERCHANTS }, () => aMerchant());
  await Promise.all(merchants.map((merchant) => setUrl(world, merchant, receiver.url)));

  const locking = await world.owner.connect();
  onTestFinished(() => locking.release(true));
  await locking.query("begin");
  await locking.query("lock table attempts in access exclusive mode");
  const collections = merchants.flatMap((merchant) =>
    Array.from({ length: EVENTS_EACH }, () => aCollection({ merchant })),
  );
  await world.others.publish(collectionSucceeded, collections);
  let seen = -1;
  await until("no more attempts are started", async () => {
    const before = seen;
    seen = receiver.received.length;
    const { rows } = await world.owner.query("select count(*)::int as recorded from events");
    return rows[0].recorded === collections.length && seen > 0 && seen === before;
  });
  // The limit, plus one for each slot: eight per merchant initially, and one more for each acknowledgment.
  expect(seen).toBeLessThanOrEqual(UNSTORED_MAX + 8 * MERCHANTS + UNSTORED_MAX);

  await locking.query("commit");
  for (const merchant of merchants) await untilStatuses(world, merchant, ...Array(EVENTS_EACH).fill("delivered"));
  expect(receiver.received).toHaveLength(collections.length);
});
