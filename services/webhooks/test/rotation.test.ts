import { createHmac } from "node:crypto";
import {
  activateSigningSecret,
  cancelSigningSecret,
  collectionSucceeded,
  getWebhookEndpoint,
  type MerchantScope,
  stageSigningSecret,
} from "@collect/contracts";
import { aMerchant, isSigned, type Received, randomId, startReceiver, type WebhookReceiver } from "@collect/testing";
import { beforeEach, expect, test } from "vitest";
import { aCollection, setUrl, untilStatuses, useWebhooks } from "./service.ts";

const world = await useWebhooks();
let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await startReceiver();
  return receiver.stop;
});

const stage = (merchant: MerchantScope) => world.others.request(stageSigningSecret, { merchant });
const activate = (merchant: MerchantScope) => world.others.request(activateSigningSecret, { merchant });
const cancel = (merchant: MerchantScope) => world.others.request(cancelSigningSecret, { merchant });
const endpointOf = (merchant: MerchantScope) => world.others.request(getWebhookEndpoint, { merchant });

async function withEndpoint() {
  const merchant = aMerchant();
  const { secret } = await setUrl(world, merchant, receiver.url);
  return { merchant, secret };
}

/** Makes the staged secret's activation time pass. */
const aDayLater = (merchant: MerchantScope) =>
  world.owner.query("update endpoints set activates_at = now() where merchant_id = $1 and mode = $2", [
    merchant.id,
    merchant.mode,
  ]);

async function deliver(merchant: MerchantScope): Promise<Received> {
  const before = receiver.received.length;
  await world.others.publish(collectionSucceeded, [aCollection({ merchant })]);
  const got = (await receiver.count(before + 1))[before];
  if (!got) throw new Error("counted");
  return got;
}

/** The secrets that have signed, checked as a Standard Webhooks library does. */
function standardSigners({ headers, raw }: Received, secrets: string[]): string[] {
  const given = String(headers["webhook-signature"]).split(" ");
  return secrets.filter((secret) => {
    const hmac = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"));
    const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${raw.toString()}`;
    return given.includes(`v1,${hmac.update(content).digest("base64")}`);
  });
}

test("while a secret is staged the current one signs alone, and webhook-signature contains both, on first attempts and retries", async () => {
  const { merchant, secret } = await withEndpoint();
  const { staged_secret } = await stage(merchant);
  expect(await endpointOf(merchant)).toMatchObject({ secret, staged_secret });
  let failed = false;
  receiver.behave((response) => {
    response.writeHead(failed ? 200 : 500).end();
    failed = true;
  });
  await deliver(merchant);
  const attempts = await receiver.count(2);
  for (const attempt of attempts) {
    expect(isSigned(attempt, secret)).toBe(true);
    expect(standardSigners(attempt, [secret, staged_secret])).toEqual([secret, staged_secret]);
    expect(String(attempt.headers["webhook-signature"]).split(" ")).toHaveLength(2);
  }
  await untilStatuses(world, merchant, "delivered");
});

test("once activated, the staged secret signs alone, and the old one no longer", async () => {
  const { merchant, secret } = await withEndpoint();
  const { staged_secret } = await stage(merchant);
  expect(await activate(merchant)).toEqual({ secret: staged_secret });
  expect(await endpointOf(merchant)).toMatchObject({ secret: staged_secret, staged_secret: null, activates_at: null });
  const got = await deliver(merchant);
  expect(isSigned(got, staged_secret)).toBe(true);
  expect(standardSigners(got, [secret, staged_secret])).toEqual([staged_secret]);
  await expect(activate(merchant)).rejects.toMatchObject({ code: "conflict" });
});

test("after a day it becomes active automatically, and later requests do not change that", async () => {
  const { merchant } = await withEndpoint();
  const { staged_secret, activates_at } = await stage(merchant);
  const hours = (Date.parse(activates_at) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24.1);
  await aDayLater(merchant);
  const got = await deliver(merchant);
  expect(isSigned(got, staged_secret)).toBe(true);
  expect(standardSigners(got, [staged_secret])).toEqual([staged_secret]);
  expect(String(got.headers["webhook-signature"])).not.toContain(" ");
  expect(await endpointOf(merchant)).toMatchObject({ secret: staged_secret, staged_secret: null, activates_at: null });
  expect(await cancel(merchant)).toEqual({ cancelled: false });
  await expect(activate(merchant)).rejects.toMatchObject({ code: "conflict" });
  expect(await setUrl(world, merchant, receiver.url)).toMatchObject({ secret: staged_secret });
  // The next rotation starts from this secret.
  const next = await stage(merchant);
  expect(next.staged_secret).not.toBe(staged_secret);
  expect(await endpointOf(merchant)).toMatchObject({ secret: staged_secret, ...next });
});

test("staging again, even concurrently, returns the same secret and the same time", async () => {
  const { merchant } = await withEndpoint();
  const staged = await Promise.all(Array.from({ length: 10 }, () => stage(merchant)));
  expect(new Set(staged.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(await stage(merchant)).toEqual(staged[0]);
});

test("concurrent activations activate once", async () => {
  const { merchant } = await withEndpoint();
  const { staged_secret } = await stage(merchant);
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => activate(merchant)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await endpointOf(merchant)).secret).toBe(staged_secret);
});

test("cancelling removes the staged secret and keeps the current one", async () => {
  const { merchant, secret } = await withEndpoint();
  await stage(merchant);
  expect(await cancel(merchant)).toEqual({ cancelled: true });
  expect(await cancel(merchant)).toEqual({ cancelled: false });
  expect(await endpointOf(merchant)).toMatchObject({ secret, staged_secret: null, activates_at: null });
  await expect(activate(merchant)).rejects.toMatchObject({ code: "conflict" });
  expect(String((await deliver(merchant)).headers["webhook-signature"])).not.toContain(" ");
});

test("each mode and each merchant has its own rotation", async () => {
  const { merchant, secret } = await withEndpoint();
  const live: MerchantScope = { id: merchant.id, mode: "live" };
  const { secret: liveSecret } = await setUrl(world, live, receiver.url);
  const { staged_secret } = await stage(live);
  expect(await endpointOf(merchant)).toMatchObject({ secret, staged_secret: null });
  await expect(activate(merchant)).rejects.toMatchObject({ code: "conflict" });
  expect(await cancel(merchant)).toEqual({ cancelled: false });
  expect(await endpointOf(live)).toMatchObject({ secret: liveSecret, staged_secret });
});

test("without an endpoint there is nothing to stage", async () => {
  await expect(stage({ id: randomId("mer"), mode: "test" })).rejects.toMatchObject({ code: "not_found" });
});
