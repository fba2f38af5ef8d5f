import { createSigningSecret, getWebhookEndpoint, type MerchantScope } from "@collect/contracts";
import { aMerchant, randomId, startComponents } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { createApp } from "../src/app.ts";
import { configOf, setUrl, useWebhooksWorld } from "./service.ts";

const world = await useWebhooksWorld();
afterAll(await startComponents(createApp({ ...world, config: configOf({ allowPrivateUrls: false }) })));
/** What is known of a URL that answers nothing: here no name resolves. */
const unanswered = { challenged_at: expect.any(String), error: expect.any(String) };

test("the secret is created once and kept when the URL is changed or removed", async () => {
  const merchant = aMerchant();
  const { secret } = await setUrl(world, merchant, null);
  expect(secret).toMatch(/^whsec_[0-9A-Za-z]{32}$/);
  const endpoint = { url: null, secret, staged_secret: null, activates_at: null };
  for (const url of ["https://shop.invalid/a", "https://shop.invalid/b", null, "https://shop.invalid/b"])
    expect(await setUrl(world, merchant, url)).toEqual({ ...endpoint, unconfirmed: url && { url, ...unanswered } });
  expect(await world.others.request(getWebhookEndpoint, { merchant })).toEqual({
    ...endpoint,
    unconfirmed: { url: "https://shop.invalid/b", ...unanswered },
  });
});

test("each merchant has its own URL and secret in each mode", async () => {
  const id = randomId("mer");
  const endpoints = [
    await setUrl(world, { id, mode: "test" }, "https://shop.invalid/test"),
    await setUrl(world, { id, mode: "live" }, "https://shop.invalid/live"),
    await setUrl(world, aMerchant(), "https://shop.invalid/test"),
  ];
  expect(new Set(endpoints.map(({ secret }) => secret)).size).toBe(3);
  expect((await world.others.request(getWebhookEndpoint, { merchant: { id, mode: "live" } })).unconfirmed?.url).toBe(
    "https://shop.invalid/live",
  );
});

test("concurrent requests to set one endpoint create one secret", async () => {
  const merchant = aMerchant();
  const answers = await Promise.all(Array.from({ length: 20 }, () => setUrl(world, merchant, null)));
  expect(new Set(answers.map(({ secret }) => secret)).size).toBe(1);
});

const createSecret = (merchant: MerchantScope) => world.others.request(createSigningSecret, { merchant });

test("the secret can be created before the URL, once however often at once, and signs what the URL gets first", async () => {
  const merchant = aMerchant();
  const created = await Promise.all(Array.from({ length: 10 }, () => createSecret(merchant)));
  const [{ secret = "" } = {}] = created;
  const endpoint = { url: null, secret, staged_secret: null, activates_at: null };
  expect(created).toEqual(Array(10).fill({ ...endpoint, unconfirmed: null }));
  const url = "https://shop.invalid/a";
  const set = await setUrl(world, merchant, url);
  expect(set).toEqual({ ...endpoint, unconfirmed: { url, ...unanswered } });
  expect(await createSecret(merchant)).toEqual(set);
  expect((await createSecret({ ...merchant, mode: "live" })).secret).not.toBe(secret);
});

test("an endpoint that was never set is not found", async () => {
  await expect(world.others.request(getWebhookEndpoint, { merchant: aMerchant() })).rejects.toMatchObject({
    code: "not_found",
  });
});

test.each([
  "http://example.com/",
  "https://127.0.0.1/",
  "https://user:pass@example.com/",
  "https://[::1]/",
  "https://168.63.129.16/",
  "https://169.254.169.254/",
  "https://100.100.100.200/",
  "https://[fd00:ec2::254]/",
  "https://[::ffff:a83f:8110]/",
  "https://shop.invalid:22/",
  "https://shop.invalid:5432/",
  "nonsense",
])("%s is refused with the name of the field, and nothing is stored", async (url) => {
  const merchant = aMerchant();
  await expect(setUrl(world, merchant, url)).rejects.toMatchObject({
    code: "validation_failed",
    errors: [{ param: "url", code: "invalid_url" }],
  });
  await expect(world.others.request(getWebhookEndpoint, { merchant })).rejects.toMatchObject({ code: "not_found" });
});
