import { expect, test } from "vitest";
import { signTestWebhook, verifyWebhook } from "../src/index.ts";
import { collection, SECRET } from "./signing.ts";

const STAGED = "whsec_VUTSRQPONMLKJIHGFEDCBA9876543210";

test("a signed test event is accepted like a delivery, and not with another secret", () => {
  const { body, headers } = signTestWebhook(collection, SECRET);
  expect(verifyWebhook(body, headers, SECRET)).toEqual(collection);
  expect(() => verifyWebhook(body, headers, STAGED)).toThrow(/does not match/);
});

test("it has every header of a delivery, with the given numbers, id and time", () => {
  const at = new Date("2026-11-21T09:30:00.999Z");
  const { headers } = signTestWebhook(collection, SECRET, { sequence: 7, delivery: 12, attempt: 3, id: "evt_7", at });
  expect(headers).toEqual({
    "content-type": "application/json",
    "user-agent": "Collect-Webhooks/1",
    "x-service-event": "collection.success",
    "x-service-delivery": "12",
    "x-service-sequence": "7",
    "x-service-attempt": "3",
    "x-service-signature": expect.stringMatching(/^[0-9a-f]{128}$/),
    "webhook-id": "evt_7",
    "webhook-timestamp": "1795253400",
    "webhook-signature": expect.stringMatching(/^v1,[\w+/]{43}=$/),
  });
});

test("the bytes of a string are signed as they are", () => {
  const given = JSON.stringify(collection, null, 2);
  const { body, headers } = signTestWebhook(given, SECRET);
  expect(body).toBe(given);
  expect(verifyWebhook(given, headers, SECRET)).toEqual(collection);
});

test("its age can be tested", () => {
  const sent = signTestWebhook(collection, SECRET, { at: new Date("2001-01-01T00:00:00Z") });
  expect(() => verifyWebhook(sent.body, sent.headers, SECRET)).toThrow(
    expect.objectContaining({ code: "timestamp_too_old" }),
  );
});

test("a rotation can be tested: the staged secret signs, too", () => {
  const { body, headers } = signTestWebhook(collection, SECRET, { stagedSecret: STAGED });
  for (const secret of [SECRET, STAGED]) expect(verifyWebhook(body, headers, secret)).toEqual(collection);
});

test("a challenge has no numbers", () => {
  const challenge = {
    event: "endpoint.challenge",
    mode: "test",
    created_at: collection.created_at,
    data: { challenge: "c0ffee", reference: "chl_1" },
  } as const;
  const { body, headers } = signTestWebhook(challenge, SECRET, { id: "chl_1" });
  expect(Object.keys(headers).filter((name) => /delivery|sequence|attempt/.test(name))).toEqual([]);
  expect(verifyWebhook(body, headers, SECRET)).toEqual(challenge);
});

test("a secret that cannot be one is refused", () => {
  expect(() => signTestWebhook(collection, "sk_test_abc")).toThrow(expect.objectContaining({ code: "secret_invalid" }));
});
