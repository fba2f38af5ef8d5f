import {
  challengeWebhookEndpoint,
  createSigningSecret,
  getWebhookEndpoint,
  setWebhookEndpoint,
  stageSigningSecret,
} from "@collect/contracts";
import { expect, test } from "vitest";
import { aMember } from "./dashboard.ts";
import { MERCHANT, usePeople } from "./world.ts";

const { world, dashboard, others, people } = await usePeople();

test("the webhook is shown without its secrets; they are revealed to a member who may know them, before a URL is set, too", async () => {
  const endpoint = {
    url: "https://shop.example/hook",
    secret: "whsec_abcdefgh1234",
    staged_secret: "whsec_staged",
    activates_at: "2026-11-22T09:30:00.000+00:00",
    unconfirmed: {
      url: "https://new.shop.example/hook",
      challenged_at: "2026-11-22T09:00:00.000+00:00",
      error: "the response was 404",
    },
  };
  const base = `/api/m/${MERCHANT}/test/webhook`;
  others.refuse(getWebhookEndpoint, "not_found");
  expect((await people.viewer.get(base)).body).toEqual({
    url: null,
    has_secret: false,
    secret_ends: null,
    staged: false,
    activates_at: null,
    unconfirmed: null,
    exposed_to: [],
  });
  // Before a URL is set it is created: the server needs it to check the URL's first challenge.
  others.reply(createSigningSecret, () => ({ ...endpoint, url: null, staged_secret: null, unconfirmed: null }));
  const first = await people.owner.post(`${base}/reveal`);
  expect(first.body).toEqual({ secret: endpoint.secret, staged_secret: null });
  others.reply(createSigningSecret, () => endpoint);
  others.refuse(getWebhookEndpoint, undefined);
  others.reply(getWebhookEndpoint, () => endpoint);
  others.reply(setWebhookEndpoint, () => endpoint);
  const masked = {
    url: endpoint.url,
    has_secret: true,
    secret_ends: "1234",
    staged: true,
    activates_at: endpoint.activates_at,
    unconfirmed: endpoint.unconfirmed,
    exposed_to: [],
  };
  expect((await people.viewer.get(base)).body).toEqual(masked);
  expect((await people.developer.post(base, { url: endpoint.url })).body).toEqual(masked);
  const confirmed = { ...endpoint, url: endpoint.unconfirmed.url, unconfirmed: null };
  others.reply(challengeWebhookEndpoint, () => confirmed);
  expect((await people.viewer.post(`${base}/challenge`)).status).toBe(403);
  const challenged = await people.developer.post(`${base}/challenge`);
  expect(challenged.body).toEqual({ ...masked, url: confirmed.url, unconfirmed: null });
  const revealed = await people.developer.post(`${base}/reveal`);
  expect(revealed.body).toEqual({ secret: endpoint.secret, staged_secret: endpoint.staged_secret });
  expect((await people.viewer.post(`${base}/reveal`)).status).toBe(403);
});

test("once somebody who was shown the signing secret has left, owners are asked to replace it, until it is another one", async () => {
  const merchantId = "mer_secret";
  const join = (role: "owner" | "developer") => aMember(world, dashboard, { merchantId, role });
  const [owner, shown, staging, other] = [
    await join("owner"),
    await join("developer"),
    await join("developer"),
    await join("developer"),
  ];
  const base = `/api/m/${merchantId}/test/webhook`;
  const endpoint = { url: null, secret: "whsec_one_aaaa", staged_secret: null, activates_at: null, unconfirmed: null };
  const next = { staged_secret: "whsec_two_bbbb", activates_at: "2026-11-22T09:30:00.000+00:00" };
  others.reply(getWebhookEndpoint, () => endpoint);
  others.reply(createSigningSecret, () => endpoint);
  others.reply(stageSigningSecret, () => next);
  expect((await shown.post(`${base}/reveal`)).status).toBe(200);
  expect((await staging.post(`${base}/rotation/stage`)).body).toEqual(next);
  for (const { id } of [shown, staging, other]) await owner.post(`/api/m/${merchantId}/test/members/${id}/remove`);
  const exposed = async () => {
    const { body } = await owner.get(base);
    return Object(body.exposed_to).map(({ user_id }: { user_id: string }) => user_id);
  };
  expect(await exposed()).toEqual([shown.id]);
  others.reply(getWebhookEndpoint, () => ({ ...endpoint, secret: next.staged_secret }));
  expect(await exposed()).toEqual([staging.id]);
  others.reply(getWebhookEndpoint, () => ({ ...endpoint, secret: "whsec_three_cccc" }));
  expect(await exposed()).toEqual([]);
});
