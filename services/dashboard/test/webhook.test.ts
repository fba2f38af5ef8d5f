import { getWebhookEndpoint, setWebhookEndpoint } from "@collect/contracts";
import { expect, test } from "vitest";
import { MERCHANT, usePeople } from "./world.ts";

const { others, people } = await usePeople();

test("the webhook is shown without its secrets; they are revealed to a member who confirms, once it is set", async () => {
  const endpoint = {
    url: "https://shop.example/hook",
    secret: "whsec_abcdefgh1234",
    staged_secret: "whsec_staged",
    activates_at: "2026-11-22T09:30:00.000+00:00",
  };
  const base = `/api/m/${MERCHANT}/test/webhook`;
  others.refuse(getWebhookEndpoint, "not_found");
  expect((await people.viewer.get(base)).body).toEqual({
    url: null,
    has_secret: false,
    secret_ends: null,
    staged: false,
    activates_at: null,
  });
  expect((await people.owner.post(`${base}/reveal`)).body.code).toBe("conflict");
  others.refuse(getWebhookEndpoint, undefined);
  others.reply(getWebhookEndpoint, () => endpoint);
  others.reply(setWebhookEndpoint, () => endpoint);
  const masked = {
    url: endpoint.url,
    has_secret: true,
    secret_ends: "1234",
    staged: true,
    activates_at: endpoint.activates_at,
  };
  expect((await people.viewer.get(base)).body).toEqual(masked);
  expect((await people.developer.post(base, { url: endpoint.url })).body).toEqual(masked);
  const revealed = await people.developer.post(`${base}/reveal`);
  expect(revealed.body).toEqual({ secret: endpoint.secret, staged_secret: endpoint.staged_secret });
  expect((await people.viewer.post(`${base}/reveal`)).status).toBe(403);
});
