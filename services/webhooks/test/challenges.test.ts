import {
  challengeWebhookEndpoint,
  collectionSucceeded,
  createSigningSecret,
  EndpointChallenge,
  getEvent,
  getWebhookEndpoint,
  type MerchantScope,
  Problem,
  replayEvent,
  sendTestEvent,
} from "@collect/contracts";
import { aMerchant, isSigned, type Received, startReceiver, until, type WebhookReceiver } from "@collect/testing";
import { afterAll, beforeEach, expect, test } from "vitest";
import { AT_ONCE, aCollection, setUrl, startWebhooks, untilStatuses, useWebhooksWorld } from "./service.ts";

const world = await useWebhooksWorld();
afterAll(await startWebhooks(world, AT_ONCE, { confirmPrivateUrls: true }));
let receiver: WebhookReceiver;
beforeEach(async () => {
  // Every receiver has this host, and its limit is for all merchants.
  await world.owner.query("delete from challenges");
  receiver = await startReceiver();
  return receiver.stop;
});

const challengeIn = ({ body }: Received) => EndpointChallenge.parse(body).data.challenge;
const isChallenge = ({ body }: Received) => body.event === "endpoint.challenge";
/** Answers challenges, and acknowledges everything else. */
const answering = (by: (challenge: string) => string = (challenge) => challenge) =>
  receiver.behave((response, got) => void response.end(isChallenge(got) ? by(challengeIn(got)) : "ok"));
const endpointOf = (merchant: MerchantScope) => world.others.request(getWebhookEndpoint, { merchant });
const challenge = (merchant: MerchantScope) => world.others.request(challengeWebhookEndpoint, { merchant });
const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error) => (error instanceof Problem ? error : Promise.reject(error)),
  );

test.each(["test", "live"] as const)(
  "a new URL gets a signed challenge, and events once it has answered, in %s mode",
  async (mode) => {
    answering();
    const merchant = { ...aMerchant(), mode };
    const { secret, url, unconfirmed } = await setUrl(world, merchant, receiver.url);
    expect([url, unconfirmed]).toEqual([receiver.url, null]);
    const [sent] = receiver.received;
    if (!sent) throw new Error("no challenge was sent");
    expect(isSigned(sent, secret)).toBe(true);
    expect(sent.body).toMatchObject({ event: "endpoint.challenge", mode });
    expect(sent.headers).toMatchObject({
      "x-service-event": "endpoint.challenge",
      "webhook-id": expect.stringMatching(/^chl_[0-9a-f]{24}$/),
      "webhook-timestamp": expect.stringMatching(/^\d+$/),
      "webhook-signature": expect.stringMatching(/^v1,/),
    });
    expect(sent.headers).not.toHaveProperty("x-service-delivery");

    await world.others.publish(collectionSucceeded, [aCollection({ merchant })]);
    await untilStatuses(world, merchant, "delivered");
    // Setting it again asks nothing of a URL that has answered.
    await setUrl(world, merchant, receiver.url);
    expect(receiver.received.filter(isChallenge)).toHaveLength(1);
  },
);

test("a server that was given its secret before its URL checks the first challenge with it, and is confirmed at once", async () => {
  const merchant = aMerchant();
  const { secret } = await world.others.request(createSigningSecret, { merchant });
  receiver.behave((response, got) =>
    isSigned(got, secret) ? void response.end(challengeIn(got)) : void response.writeHead(400).end(),
  );
  expect(await setUrl(world, merchant, receiver.url)).toMatchObject({ url: receiver.url, secret, unconfirmed: null });
  expect(receiver.received).toHaveLength(1);
});

test("JSON with the challenge is an answer, too", async () => {
  answering((challenge) => JSON.stringify({ ok: true, challenge }));
  expect(await setUrl(world, aMerchant(), receiver.url)).toMatchObject({ url: receiver.url, unconfirmed: null });
});

test("a server that does not answer gets the challenge and nothing else; events are recorded, and can be sent once it has", async () => {
  const merchant = aMerchant();
  const set = await setUrl(world, merchant, receiver.url);
  const unconfirmed = { url: receiver.url, challenged_at: expect.any(String) };
  expect(set).toMatchObject({
    url: null,
    unconfirmed: { ...unconfirmed, error: "the response was 200, without the challenge" },
  });
  await world.others.publish(collectionSucceeded, [aCollection({ merchant })]);
  await until("the event is recorded", () =>
    world.others.request(getEvent, { merchant, sequence: 1 }).catch(() => undefined),
  );
  const replay = () => world.others.request(replayEvent, { merchant, sequence: 1 });
  for (const refused of [
    await refusalOf(replay()),
    await refusalOf(world.others.request(sendTestEvent, { merchant })),
  ]) {
    expect(refused).toMatchObject({ code: "no_webhook_url" });
    expect(refused?.detail).toMatch(/has not answered its challenge/);
  }
  expect(receiver.received.map(isChallenge)).toEqual([true]);

  answering();
  expect(await challenge(merchant)).toMatchObject({ url: receiver.url, unconfirmed: null });
  await replay();
  await untilStatuses(world, merchant, "delivered");
  expect(receiver.received.map(({ body }) => body.event)).toEqual([
    "endpoint.challenge",
    "endpoint.challenge",
    "collection.success",
  ]);
  expect(await refusalOf(challenge(merchant))).toMatchObject({ code: "conflict" });
});

test.each([
  ["an error with the challenge", 500, (challenge: string) => challenge, "the response was 500"],
  ["a redirect", 302, () => "", "the response was 302"],
  ["another challenge", 200, () => "chl_0", "the response was 200, without the challenge"],
  [
    "the request, echoed",
    200,
    (challenge: string) => `{"data":{"challenge":"${challenge}"}}`,
    "the response was 200, without the challenge",
  ],
])("%s is no answer", async (_, status, by, error) => {
  receiver.behave((response, got) => void response.writeHead(status).end(by(challengeIn(got))));
  expect(await setUrl(world, aMerchant(), receiver.url)).toMatchObject({ url: null, unconfirmed: { error } });
});

test("events go on to the present URL until the new one has answered, and it is given up by setting the present one", async () => {
  answering();
  const merchant = aMerchant();
  await setUrl(world, merchant, receiver.url);
  const silent = await startReceiver();
  const changed = await setUrl(world, merchant, silent.url);
  expect(changed).toMatchObject({ url: receiver.url, unconfirmed: { url: silent.url } });
  await world.others.publish(collectionSucceeded, [aCollection({ merchant })]);
  await untilStatuses(world, merchant, "delivered");
  expect(silent.received.map(isChallenge)).toEqual([true]);
  expect(await setUrl(world, merchant, receiver.url)).toMatchObject({ url: receiver.url, unconfirmed: null });
  await silent.stop();
});

test("an answer that comes after another URL was set confirms nothing", async () => {
  const merchant = aMerchant();
  const late = Promise.withResolvers<void>();
  receiver.behave((response, got) => void late.promise.then(() => response.end(challengeIn(got))));
  const setting = setUrl(world, merchant, receiver.url);
  await receiver.count(1);
  await setUrl(world, merchant, null);
  late.resolve();
  expect(await setting).toMatchObject({ url: null, unconfirmed: null });
  expect(await endpointOf(merchant)).toMatchObject({ url: null, unconfirmed: null });
});

test("a merchant can send five challenges an hour, however many at once; the URL that is refused is not stored", async () => {
  const merchant = aMerchant();
  const urls = Array.from({ length: 9 }, (_, n) => `${receiver.url}/${n}`);
  const refusals = await Promise.all(urls.map((url) => refusalOf(setUrl(world, merchant, url))));
  const limited = refusals.filter((refusal) => refusal?.code === "rate_limited");
  expect(limited).toHaveLength(4);
  for (const refusal of limited) expect(refusal?.retryAfterS).toBeGreaterThan(3_500);
  expect(receiver.received).toHaveLength(5);
  expect(await refusalOf(challenge(merchant))).toMatchObject({ code: "rate_limited" });
  // Taking the URL back needs none.
  expect(await setUrl(world, merchant, null)).toMatchObject({ url: null, unconfirmed: null });
  await world.owner.query("update challenges set sent_at = sent_at - interval '61 minutes' where merchant_id = $1", [
    merchant.id,
  ]);
  expect(await refusalOf(setUrl(world, merchant, receiver.url))).toBeUndefined();
});

test("a host gets sixty challenges an hour, whoever names it", async () => {
  await world.owner.query(
    "insert into challenges (merchant_id, mode, url, host) select 'mer_' || n, 'live', $1, '127.0.0.1' from generate_series(1, 60) n",
    [receiver.url],
  );
  expect(await refusalOf(setUrl(world, aMerchant(), receiver.url))).toMatchObject({ code: "rate_limited" });
  expect(receiver.received).toEqual([]);
});
