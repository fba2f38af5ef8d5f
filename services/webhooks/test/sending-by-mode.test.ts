import { collectionSucceeded } from "@collect/contracts";
import { aMerchant, startReceiver, until } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import { AT_ONCE, aCollection, openWebhooks, setUrl, startWebhooks, untilStatuses } from "./service.ts";

/** Enough to fill every slot of a process, at eight per merchant. */
const MERCHANTS = 140;

test("live deliveries keep their slots while all test merchants' servers hang", async () => {
  const world = await openWebhooks();
  onTestFinished(() => world.close());
  const [hanging, receiver] = [await startReceiver(), await startReceiver()];
  onTestFinished(() => receiver.stop());
  hanging.behave(() => {});
  // No attempt times out during this test.
  const stop = await startWebhooks(world, { ...AT_ONCE, deadlineMs: 600_000, leaseMs: 1_200_000 });
  onTestFinished(stop);
  onTestFinished(() => hanging.stop());

  const merchants = Array.from({ length: MERCHANTS }, () => aMerchant("test"));
  await Promise.all(merchants.map((merchant) => setUrl(world, merchant, hanging.url)));
  const flood = merchants.flatMap((merchant) => Array.from({ length: 10 }, () => aCollection({ merchant })));
  await world.others.publish(collectionSucceeded, flood);
  let seen = -1;
  await until("no more test attempts are started", async () => {
    const before = seen;
    seen = hanging.received.length;
    const { rows } = await world.owner.query("select count(*)::int as recorded from events");
    return rows[0].recorded === flood.length && seen > 0 && seen === before;
  });

  const live = aMerchant("live");
  await setUrl(world, live, receiver.url);
  await world.others.publish(
    collectionSucceeded,
    Array.from({ length: 20 }, () => aCollection({ merchant: live })),
  );
  await untilStatuses(world, live, ...Array(20).fill("delivered"));
  expect(receiver.received).toHaveLength(20);
});
