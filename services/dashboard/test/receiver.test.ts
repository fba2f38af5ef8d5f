import { createHmac } from "node:crypto";
import { getWebhookEndpoint, setWebhookEndpoint, type WireResult } from "@collect/contracts";
import { until } from "@collect/testing";
import { beforeEach, expect, test } from "vitest";
import { cleanUp } from "../src/workers/cleanup.ts";
import { startDashboard } from "./dashboard.ts";
import { MERCHANT, usePeople } from "./world.ts";

const { world, dashboard, others, people } = await usePeople();
const base = `/api/m/${MERCHANT}/test/receiver`;
const SECRET = `whsec_${Buffer.from("a signing secret of test mode").toString("base64")}`;
let endpoint: WireResult<typeof getWebhookEndpoint>;

beforeEach(async () => {
  endpoint = { url: null, secret: SECRET, staged_secret: null, activates_at: null, unconfirmed: null };
  others.reply(getWebhookEndpoint, () => endpoint);
  others.reply(setWebhookEndpoint, ({ url }) => {
    endpoint = { ...endpoint, url };
    return endpoint;
  });
  await world.pool.query("delete from received_webhooks");
  await world.pool.query("update test_receivers set behavior = 'ok'");
});

const anEvent = (event = "collection.succeeded", data: object = { reference: "col_1" }, mode = "test") =>
  JSON.stringify({ event, mode, created_at: "2026-11-25T09:00:00.000+00:00", data });

/** Posts a delivery, as webhooks signs it. */
async function deliver(
  url: string,
  body: string,
  { id = "evt_1", secret = SECRET, timeoutMs = 10_000 }: { id?: string; secret?: string; timeoutMs?: number } = {},
) {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const standard = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  const response = await fetch(url, {
    method: "POST",
    body,
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${standard}`,
      "x-service-signature": createHmac("sha512", secret).update(body).digest("hex"),
      "x-forwarded-for": "203.0.113.9",
      cookie: "session=mine",
    },
  });
  return [response.status, await response.text()];
}
const used = async () => String((await people.developer.post(`${base}/use`)).body.url);
const received = async () => (await people.viewer.get(base)).body.received;

test("it becomes the webhook URL, is always the same, and answers the challenge like any server", async () => {
  expect((await people.viewer.get(base)).body).toEqual({ url: null, in_use: false, behavior: "ok", received: [] });
  const [first, second] = await Promise.all([used(), used()]);
  expect(first).toMatch(new RegExp(`^${dashboard.config.TEST_RECEIVER_URL}/receiver/[\\w-]{43}$`));
  expect([second, (await people.viewer.get(base)).body.in_use]).toEqual([first, true]);
  const body = anEvent("endpoint.challenge", { challenge: "c0ffee", reference: "chl_1" });
  expect(await deliver(first, body)).toEqual([200, "c0ffee"]);
  await people.developer.post(`${base}/behavior`, { behavior: "error" });
  expect(await deliver(first, body)).toEqual([200, "c0ffee"]);
  await people.developer.post(`${base}/behavior`, { behavior: "ok" });
  expect(await deliver(first, body, { secret: "whsec_YW5vdGhlciBzZWNyZXQ=" })).toEqual([400, ""]);
});

test("what it receives is shown with its signature's result, and a repeat is recognized by its webhook-id", async () => {
  const url = await used();
  expect(await deliver(url, anEvent())).toEqual([200, ""]);
  expect(await deliver(url, anEvent())).toEqual([200, ""]);
  expect(await deliver(url, anEvent(), { id: "evt_2", secret: "whsec_YW5vdGhlciBzZWNyZXQ=" })).toEqual([400, ""]);
  expect(await received()).toMatchObject([
    { webhook_id: "evt_2", answered: 400, fault: expect.stringContaining("is this the signing secret of test mode?") },
    { webhook_id: "evt_1", answered: 200, fault: null, seen_before: 1 },
    { webhook_id: "evt_1", answered: 200, fault: null, seen_before: 0, body: anEvent() },
  ]);
  const [{ headers }] = Object(await received());
  expect(Object.keys(headers)).toContain("x-service-signature");
  expect(headers).not.toHaveProperty("cookie");
  expect(headers).not.toHaveProperty("x-forwarded-for");
});

test("it answers with 500 or not at all when that is chosen, by those who may set the webhook", async () => {
  const url = await used();
  expect((await people.support.post(`${base}/behavior`, { behavior: "error" })).status).toBe(403);
  await people.developer.post(`${base}/behavior`, { behavior: "error" });
  expect(await deliver(url, anEvent())).toEqual([500, ""]);
  await people.developer.post(`${base}/behavior`, { behavior: "timeout" });
  const sender = new AbortController();
  const waiting = fetch(url, { method: "POST", body: "{}", signal: sender.signal }).catch(() => "gave up");
  // Without a valid signature it is refused at once, whatever was chosen.
  expect(await waiting).toMatchObject({ status: 400 });
  const unanswered = deliver(url, anEvent(), { id: "evt_3", timeoutMs: 1_000 }).catch(({ name }) => name);
  await until("it is kept", async () => Object(await received())[0]?.webhook_id === "evt_3");
  expect(Object(await received())[0].answered).toBeNull();
  expect(await unanswered).toBe("TimeoutError");
  expect((await people.developer.post(`${base}/behavior`, { behavior: "slow" })).status).toBe(400);
});

test("it keeps the newest 50 of a day, and nothing that is too large", async () => {
  const url = await used();
  for (let n = 0; n < 53; n++) await deliver(url, anEvent(), { id: `evt_${n}` });
  const kept = Object(await received());
  expect([kept.length, kept[0].webhook_id, kept.at(-1).webhook_id]).toEqual([50, "evt_52", "evt_3"]);
  const { rows } = await world.pool.query("select count(*)::int as count from received_webhooks");
  expect(rows).toEqual([{ count: 50 }]);
  expect((await deliver(url, "x".repeat(64 * 1_024 + 1)))[0]).toBe(413);
  await world.owner.query(
    "update received_webhooks set received_at = received_at - interval '25 hours' where webhook_id <> 'evt_52'",
  );
  const cleaning = cleanUp(world.pool, { log: world.log, everyMs: 10 });
  await cleaning.start();
  await until("the old ones are deleted", async () => Object(await received()).length === 1);
  await cleaning.stop();
});

test("live mode has none: it cannot be its webhook URL, and what is of live mode is neither taken nor kept", async () => {
  const url = await used();
  const live = `/api/m/${MERCHANT}/live`;
  expect((await people.developer.get(`${live}/receiver`)).status).toBe(404);
  expect((await people.developer.post(`${live}/receiver/use`)).status).toBe(404);
  expect((await people.developer.post(`${live}/receiver/behavior`, { behavior: "ok" })).status).toBe(404);
  const set = await people.developer.post(`${live}/webhook`, { url });
  expect([set.status, set.body.code]).toEqual([400, "validation_failed"]);
  expect((await deliver(url, anEvent("collection.succeeded", {}, "live")))[0]).toBe(404);
  expect(await received()).toEqual([]);
});

test("an unknown address is not found, others are not shown what it received, and without configuration there is none", async () => {
  const url = await used();
  await deliver(url, anEvent());
  expect((await people.stranger.get(base)).status).toBe(404);
  for (const unknown of [`${url.slice(0, -43)}${"A".repeat(43)}`, `${url}x`, `${url.slice(0, -43)}%00`])
    expect((await deliver(unknown, anEvent()))[0]).toBe(404);
  expect((await fetch(url)).status).toBe(405);
  const without = await startDashboard(world, { TEST_RECEIVER_URL: undefined });
  expect((await fetch(`${without.url}${new URL(url).pathname}`, { method: "POST" })).status).toBe(404);
  await without.stop();
});
