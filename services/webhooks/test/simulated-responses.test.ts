import { collectionSucceeded, type ReceiverScenario, replayEvent, simulateResponses } from "@collect/contracts";
import { aMerchant, startReceiver, type WebhookReceiver } from "@collect/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { deleteSimulatedResponses } from "../src/store/simulated-responses.ts";
import { aCollection, attemptsOf, type Collection, setUrl, untilStatuses, useWebhooks } from "./service.ts";

const world = await useWebhooks();
let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await startReceiver();
  return receiver.stop;
});

type Order = { response: ReceiverScenario; times: number };
const simulate = ({ merchant, intakeId }: Collection, order: Order) =>
  world.others.request(simulateResponses, { merchant, intake_id: intakeId, ...order });
const record = (collection: Collection) => world.others.publish(collectionSucceeded, [collection]);
const attemptsReceived = () => receiver.received.map(({ headers }) => headers["x-service-attempt"]);
const isStored = async ({ intakeId }: Collection) =>
  (await world.owner.query("select from simulated_responses where event_key like $1", [`%${intakeId}`])).rowCount;

async function aShop(mode: "test" | "live" = "test") {
  const merchant = aMerchant(mode);
  await setUrl(world, merchant, receiver.url);
  return merchant;
}

describe("the first attempts have the simulated result, marked as such, and the next one is real", () => {
  test.each([
    ["receiver_fails", { status: 500, error: "simulated: status 500; your server was not called" }],
    ["receiver_redirects", { status: 302, error: "simulated: status 302; your server was not called" }],
    ["receiver_times_out", { status: null, error: "simulated: no answer in time" }],
    ["receiver_resets_connection", { status: null, error: "simulated: ECONNRESET: the connection was reset" }],
  ] as const)("%s", async (response, simulated) => {
    const merchant = await aShop();
    const collection = aCollection({ merchant });
    await simulate(collection, { response, times: 2 });
    await record(collection);
    await untilStatuses(world, merchant, "delivered");
    expect(await attemptsOf(world, merchant)).toMatchObject([simulated, simulated, { status: 200, error: null }]);
    expect(attemptsReceived()).toEqual(["3"]);
  });

  test("response_lost: the server gets the event again, with the same bytes and number", async () => {
    const merchant = await aShop();
    const collection = aCollection({ merchant });
    await simulate(collection, { response: "response_lost", times: 1 });
    await record(collection);
    await untilStatuses(world, merchant, "delivered");
    expect(await attemptsOf(world, merchant)).toMatchObject([
      { status: null, error: "simulated: the response with status 200 was lost" },
      { status: 200, error: null },
    ]);
    const [first, second] = receiver.received;
    expect(second?.raw).toEqual(first?.raw);
    expect(second?.headers["x-service-delivery"]).toBe(first?.headers["x-service-delivery"]);
    expect(attemptsReceived()).toEqual(["1", "2"]);
  });

  test("response_lost: a response that acknowledges nothing cannot be lost, and is what it is", async () => {
    const merchant = await aShop();
    receiver.behave((response) => void response.writeHead(503).end());
    const collection = aCollection({ merchant });
    await simulate(collection, { response: "response_lost", times: 4 });
    await record(collection);
    await untilStatuses(world, merchant, "exhausted");
    expect((await attemptsOf(world, merchant)).map(({ status, error }) => [status, error])).toEqual(
      Array(4).fill([503, null]),
    );
  });
});

test("only the event of the transfer is concerned, and a replay of it is real", async () => {
  const merchant = await aShop();
  const [simulated, other] = [aCollection({ merchant }), aCollection({ merchant })];
  await simulate(simulated, { response: "receiver_fails", times: 15 });
  await record(simulated);
  await untilStatuses(world, merchant, "exhausted");
  expect(receiver.received).toEqual([]);
  await record(other);
  await untilStatuses(world, merchant, "exhausted", "delivered");
  await world.others.request(replayEvent, { merchant, sequence: 1 });
  await untilStatuses(world, merchant, "delivered", "delivered");
  const received = receiver.received.map(({ headers }) => [
    headers["x-service-sequence"],
    headers["x-service-attempt"],
  ]);
  expect(received).toEqual([
    ["2", "1"],
    ["1", "5"],
  ]);
});

test("a repeat changes nothing: the first order counts, and an event that is recorded keeps its own", async () => {
  const merchant = await aShop();
  const collection = aCollection({ merchant });
  await Promise.all([1, 1].map((times) => simulate(collection, { response: "receiver_fails", times })));
  await simulate(collection, { response: "receiver_fails", times: 2 });
  await record(collection);
  await untilStatuses(world, merchant, "delivered");
  await simulate(collection, { response: "receiver_times_out", times: 3 });
  await record(collection);
  expect((await attemptsOf(world, merchant)).map(({ status }) => status)).toEqual([500, 200]);
});

test("without a URL there is nothing to simulate, unless it was removed after the first order", async () => {
  const merchant = aMerchant();
  const collection = aCollection({ merchant });
  const order = () => simulate(collection, { response: "receiver_fails", times: 1 });
  await expect(order()).rejects.toMatchObject({ code: "no_webhook_url" });
  await setUrl(world, merchant, receiver.url);
  await order();
  await setUrl(world, merchant, null);
  expect(await order()).toEqual({});
});

describe("live mode", () => {
  test("is refused, and its deliveries are real", async () => {
    const merchant = await aShop("live");
    const collection = aCollection({ merchant });
    const order = simulate(collection, { response: "receiver_fails", times: 1 });
    await expect(order).rejects.toMatchObject({ code: "test_key_required" });
    expect(await isStored(collection)).toBe(0);
    await record(collection);
    await untilStatuses(world, merchant, "delivered");
    expect(attemptsReceived()).toEqual(["1"]);
  });

  test("has no simulated responses in the database either, whoever writes them", async () => {
    const merchant = await aShop("live");
    const collection = aCollection({ merchant });
    const stored = world.owner.query(
      "insert into simulated_responses (event_key, merchant_id, mode, responses) values ($1, $2, 'live', '{receiver_fails}')",
      [`collection.success:${collection.intakeId}`, merchant.id],
    );
    await expect(stored).rejects.toThrow("simulated_responses_mode_check");
    // An order of the same key and merchant in test mode says nothing about the event in live mode.
    await setUrl(world, { ...merchant, mode: "test" }, receiver.url);
    await simulate(
      { ...collection, merchant: { ...merchant, mode: "test" } },
      { response: "receiver_fails", times: 1 },
    );
    await record(collection);
    await untilStatuses(world, merchant, "delivered");
    expect(await attemptsOf(world, merchant)).toMatchObject([{ attempt: 1, status: 200 }]);
    const moved = world.owner.query(
      "update deliveries set simulated = '{receiver_fails}' where merchant_id = $1 and mode = 'live'",
      [merchant.id],
    );
    await expect(moved).rejects.toThrow("deliveries_simulated_in_test_mode");
  });
});

test("orders are deleted after a month; a delivery keeps its own copy", async () => {
  const merchant = await aShop();
  const [old, recent] = [aCollection({ merchant }), aCollection({ merchant })];
  for (const one of [old, recent]) await simulate(one, { response: "receiver_fails", times: 1 });
  await world.owner.query(
    "update simulated_responses set created_at = created_at - interval '31 days' where event_key like $1",
    [`%${old.intakeId}`],
  );
  expect(await deleteSimulatedResponses(world.pools.workers, { days: 30, max: 10 })).toBe(1);
  expect([await isStored(old), await isStored(recent)]).toEqual([0, 1]);
});
