import { getWebhookEndpoint } from "@collect/contracts";
import { aMerchant, randomId, startComponents } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { createApp } from "../src/app.ts";
import { setUrl, useWebhooksWorld } from "./service.ts";

const world = await useWebhooksWorld();
afterAll(await startComponents(createApp({ ...world, config: { ALLOW_PRIVATE_URLS: false } })));

test("the secret is created once and kept when the URL is changed or removed", async () => {
  const merchant = aMerchant();
  const { secret } = await setUrl(world, merchant, null);
  expect(secret).toMatch(/^whsec_[0-9A-Za-z]{32}$/);
  for (const url of ["https://example.com/a", "https://example.com/b", null, "https://example.com/b"])
    expect(await setUrl(world, merchant, url)).toEqual({ url, secret, staged_secret: null, activates_at: null });
  expect(await world.others.request(getWebhookEndpoint, { merchant })).toEqual({
    url: "https://example.com/b",
    secret,
    staged_secret: null,
    activates_at: null,
  });
});

test("each merchant has its own URL and secret in each mode", async () => {
  const id = randomId("mer");
  const endpoints = [
    await setUrl(world, { id, mode: "test" }, "https://example.com/test"),
    await setUrl(world, { id, mode: "live" }, "https://example.com/live"),
    await setUrl(world, aMerchant(), "https://example.com/test"),
  ];
  expect(new Set(endpoints.map(({ secret }) => secret)).size).toBe(3);
  expect((await world.others.request(getWebhookEndpoint, { merchant: { id, mode: "live" } })).url).toBe(
    "https://example.com/live",
  );
});

test("concurrent requests to set one endpoint create one secret", async () => {
  const merchant = aMerchant();
  const answers = await Promise.all(Array.from({ length: 20 }, () => setUrl(world, merchant, "https://example.com/")));
  expect(new Set(answers.map(({ secret }) => secret)).size).toBe(1);
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
  "nonsense",
])("%s is refused with the name of the field, and nothing is stored", async (url) => {
  const merchant = aMerchant();
  await expect(setUrl(world, merchant, url)).rejects.toMatchObject({
    code: "validation_failed",
    errors: [{ param: "url", code: "invalid_url" }],
  });
  await expect(world.others.request(getWebhookEndpoint, { merchant })).rejects.toMatchObject({ code: "not_found" });
});
