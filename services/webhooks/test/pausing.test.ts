import { answer, serveRequests } from "@collect/bus";
import { pauseWebhookEndpoint, resumeWebhookEndpoint, sendTestEvent, storeTestEvent } from "@collect/contracts";
import { aMerchant, until } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import { expectInOrder, useHolding } from "./holding.ts";
import { setUrl, untilStatuses } from "./service.ts";

const { world, current, pay, accept, holdOf, untilHold, held, sequences } = await useHolding();

const pausing = (scope = current().merchant) => world.others.request(pauseWebhookEndpoint, { merchant: scope });
const resuming = (scope = current().merchant) => world.others.request(resumeWebhookEndpoint, { merchant: scope });

test("pauses an endpoint that works: events wait, and go out in order when it is resumed", async () => {
  await pay(3);
  await untilStatuses(world, current().merchant, "delivered", "delivered", "delivered");
  expect((await pausing()).hold).toMatchObject({ state: "paused", waiting: 0 });
  const { since } = (await pausing()).hold ?? {};
  await pay(30);
  await untilHold("they wait", (hold) => hold?.state === "paused" && hold.waiting === 30 && hold.since === since);
  expect(current().receiver.received).toHaveLength(3);
  await resuming();
  await untilStatuses(world, current().merchant, ...Array(33).fill("delivered"));
  expectInOrder(sequences(3));
  await until("the hold has ended", async () => (await holdOf()) === null);
  expect(await resuming()).toEqual({ hold: null });
});

test("pauses while many wait in memory: after those that are being sent no more are", async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  current().receiver.behave((response) => void answered.then(() => response.end()));
  await pay(200);
  await current().receiver.count(8);
  await pausing();
  await until("they are withdrawn", async () => ((await holdOf())?.waiting ?? 0) >= 180);
  answer();
  await until("those in progress are stored", async () => (await holdOf())?.waiting === 192);
  expect(current().receiver.received).toHaveLength(8);
  await resuming();
  await untilStatuses(world, current().merchant, ...Array(200).fill("delivered"));
});

test("cannot pause without a URL, and tries a held endpoint at once", async () => {
  const scope = aMerchant();
  await expect(pausing(scope)).rejects.toMatchObject({ code: "no_webhook_url" });
  await setUrl(world, scope, null);
  await expect(pausing(scope)).rejects.toMatchObject({ code: "no_webhook_url" });
  await held(20);
  accept();
  await resuming();
  await untilStatuses(world, current().merchant, ...Array(20).fill("delivered"));
});

test("sends a test event to a held endpoint, which is probed once it is acknowledged", async () => {
  const payments = [answer(storeTestEvent, async () => ({}))];
  const requests = serveRequests(world.others, { service: "payments", log: world.log, requests: payments });
  await requests.start();
  onTestFinished(requests.stop);
  await held(20);
  accept();
  await world.others.request(sendTestEvent, { merchant: current().merchant });
  await untilStatuses(world, current().merchant, ...Array(21).fill("delivered"));
});
