import { deadLetterRequests, transferCompleted, transferRecorded, WebhookEvent } from "@collect/contracts";
import { aMerchant, isSigned, recordFacts, startReceiver, until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { aCompletedTransfer, deliveriesOf, setUrl, useWebhooks } from "./service.ts";

const world = await useWebhooks();
const facts = await recordFacts(world.others, transferRecorded);
const receiver = await startReceiver();
afterAll(receiver.stop);

function recordedTimes(times: number, key: string) {
  return until(`${key} is recorded`, () => {
    const found = facts.all.filter((fact) => fact.key === key);
    return found.length >= times && found;
  });
}

test.each(["success", "failed", "reversed"] as const)(
  "a transfer that completed as %s is recorded, numbered, signed and sent, and payments is notified",
  async (status) => {
    const transfer = aCompletedTransfer({ status });
    const { secret } = await setUrl(world, transfer.merchant, receiver.url);
    await world.others.publish(transferCompleted, [transfer]);
    const [fact] = await recordedTimes(1, transfer.key);
    expect(fact).toEqual({
      key: transfer.key,
      merchant: transfer.merchant,
      sequence: 1,
      deliveryNumber: expect.any(Number),
      recordedAt: expect.any(String),
    });
    const delivery = await until("it is delivered", () =>
      receiver.received.find(({ body }) => (body.data as { reference: string }).reference === transfer.reference),
    );
    expect(isSigned(delivery, secret)).toBe(true);
    expect(delivery.headers).toMatchObject({ "x-service-event": `transfer.${status}`, "x-service-sequence": "1" });
    expect(WebhookEvent.parse(delivery.body)).toMatchObject({
      event: `transfer.${status}`,
      created_at: fact?.recordedAt,
      data: { status, amount: transfer.amount, merchant_reference: transfer.merchantReference },
    });
  },
);

test("a reversal is recorded without its success, and in addition to a success that arrives later", async () => {
  const success = aCompletedTransfer({ status: "success" });
  const reversed = aCompletedTransfer({ ...success, status: "reversed" });
  await world.others.publish(transferCompleted, [reversed]);
  expect(await recordedTimes(1, reversed.key)).toMatchObject([{ sequence: 1 }]);
  await world.others.publish(transferCompleted, [success]);
  expect(await recordedTimes(1, success.key)).toMatchObject([{ sequence: 2 }]);
});

test("within one batch, the transfer that completed first has the lower number", async () => {
  const success = aCompletedTransfer({ completedAt: "2026-11-21T09:31:00.000+00:00" });
  const reversed = aCompletedTransfer({
    ...success,
    status: "reversed",
    completedAt: "2026-11-21T09:32:00.000+00:00",
  });
  await world.others.publish(transferCompleted, [reversed, success]);
  expect(await recordedTimes(1, success.key)).toMatchObject([{ sequence: 1 }]);
  expect(await recordedTimes(1, reversed.key)).toMatchObject([{ sequence: 2 }]);
});

test("a repeat publishes the identical fact and creates no second event or delivery", async () => {
  const transfer = aCompletedTransfer();
  await setUrl(world, transfer.merchant, receiver.url);
  await world.others.publish(transferCompleted, [transfer]);
  await recordedTimes(1, transfer.key);
  await world.others.publish(transferCompleted, [transfer]);
  const [first, again] = await recordedTimes(2, transfer.key);
  expect(again).toEqual(first);
  expect(await deliveriesOf(world, transfer.merchant)).toHaveLength(1);
});

test.each([
  ["amount", { amount: 999n }],
  ["merchant", { merchant: aMerchant() }],
])("a repeat with another %s is refused and stored as a dead letter", async (what, other) => {
  const transfer = aCompletedTransfer();
  await world.others.publish(transferCompleted, [transfer]);
  await recordedTimes(1, transfer.key);
  await world.others.publish(transferCompleted, [{ ...transfer, ...other }]);
  const error = `transfer.success:${transfer.reference} is recorded with another ${what}`;
  expect(await until("it is a dead letter", () => deadLetterOf(transfer.key))).toBe(error);
  expect(await recordedTimes(1, transfer.key)).toHaveLength(1);
});

async function deadLetterOf(key: string): Promise<string | undefined> {
  const list = deadLetterRequests.webhooks?.list;
  if (!list) throw new Error("webhooks answers for its dead letters");
  const { dead_letters } = list.output.parse(await world.others.request(list, {})) as {
    dead_letters: { natural_key: string; error: string }[];
  };
  return dead_letters.find(({ natural_key }) => natural_key === key)?.error;
}
