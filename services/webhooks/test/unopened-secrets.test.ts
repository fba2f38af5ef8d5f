import { collectionSucceeded } from "@collect/contracts";
import { aMerchant, startReceiver, until } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import {
  AT_ONCE,
  aCollection,
  aKeyringKey,
  deliveriesOf,
  setUrl,
  startWebhooks,
  untilStatuses,
  useWebhooksWorld,
} from "./service.ts";

const world = await useWebhooksWorld();

test("with a wrong keyring a merchant's backlog is not claimed again and again, and one alarm stands for all of it", async () => {
  const [merchant, other] = [aMerchant(), aMerchant()];
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const stopRight = await startWebhooks(world);
  await setUrl(world, merchant, `${receiver.url}/hooks`);
  await stopRight();
  const alarms: { alarm?: string; merchant_id?: string }[] = [];
  const log = Object.assign(Object.create(world.log), { error: (line: object) => void alarms.push(line) });
  const paused = { ...AT_ONCE, unopenedPauseMs: 600_000 };
  onTestFinished(await startWebhooks({ ...world, log }, paused, { keyring: aKeyringKey("k9") }));
  await setUrl(world, other, `${receiver.url}/other`);
  await world.others.publish(collectionSucceeded, [aCollection({ merchant: other })]);
  await untilStatuses(world, other, "delivered");
  const events = Array.from({ length: 50 }, () => aCollection({ merchant }));
  await world.others.publish(collectionSucceeded, events);
  await until("all are recorded", async () => (await deliveriesOf(world, merchant)).length === events.length);
  await until("the alarm is raised", async () => alarms.length > 0);

  // All are due, and before the other merchant's.
  await world.owner.query(
    "update deliveries set claimed = false, next_attempt_at = now() - interval '1 minute' where merchant_id = $1",
    [merchant.id],
  );
  await world.owner.query(
    "update deliveries set status = 'pending', next_attempt_at = now() - interval '1 second' where merchant_id = $1",
    [other.id],
  );
  await untilStatuses(world, other, "delivered");
  const { rows } = await world.owner.query("select 1 from deliveries where merchant_id = $1 and claimed", [
    merchant.id,
  ]);
  expect(rows).toEqual([]);
  expect(alarms).toMatchObject([{ alarm: "secret", merchant_id: merchant.id }]);
});
