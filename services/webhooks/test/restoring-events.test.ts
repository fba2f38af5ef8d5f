import { aMerchant, randomId } from "@collect/testing";
import { expect, test } from "vitest";
import { collectionSuccess } from "../src/domain/event.ts";
import { recordEvents } from "../src/store/events.ts";
import { restoreEvents } from "../src/store/recovery.ts";
import { aCollection, useWebhooksWorld } from "./service.ts";

const world = await useWebhooksWorld();

const now = new Date("2026-11-21T09:30:03.000Z");
const draftOf = (merchant = aMerchant()) =>
  collectionSuccess(aCollection({ merchant, intakeId: randomId("int"), reference: randomId("col") }), now);

test("an event whose number is taken does not block the others from getting theirs", async () => {
  const merchant = aMerchant();
  const [given, lost, others] = [draftOf(merchant), draftOf(merchant), draftOf()];
  await recordEvents(world.pool, [given], 1_000);
  const numbered = [
    { ...lost, sequence: 1, deliveryNumber: null },
    { ...others, sequence: 7, deliveryNumber: 70 },
  ];
  for (let times = 0; times < 2; times++)
    expect((await restoreEvents(world.pool, numbered)).map(({ key }) => key)).toEqual([lost.key]);
  const { rows } = await world.owner.query("select key, sequence from events order by sequence");
  expect(rows).toEqual([
    { key: given.key, sequence: 1n },
    { key: others.key, sequence: 7n },
  ]);
});
