import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createReceiver, type ReceiverOptions, WebhookVerificationError } from "../src/index.ts";
import { collection, deliveryOf, SECRET } from "./signing.ts";

type Given = Partial<ReceiverOptions> & { parse?: (raw: Buffer) => unknown };

/** A merchant's server with the receiver, after a parser if one is given. */
async function start({ parse, ...options }: Given = {}) {
  const events: unknown[] = [];
  const errors: unknown[] = [];
  const receive = createReceiver({
    secret: SECRET,
    onEvent: (event) => void events.push(event),
    onError: (error) => void errors.push(error),
    ...options,
  });
  const server = createServer(async (request, response) => {
    if (!parse) return receive(request, response);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    await receive(
      Object.assign(request, { body: parse(Buffer.concat(chunks)) }) as Parameters<typeof receive>[0],
      response,
    );
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const deliver = async ({ raw, headers }: { raw: Buffer<ArrayBuffer>; headers: Record<string, string> }) => {
    const response = await fetch(url, { method: "POST", headers, body: raw });
    return { status: response.status, text: await response.text() };
  };
  return { deliver, events, errors };
}

const challenge = { event: "endpoint.challenge", mode: "test", data: { challenge: "c0ffee", reference: "chl_1" } };

test("a challenge is answered without the merchant's code, and a forged one is not", async () => {
  const { deliver, events, errors } = await start();
  expect(await deliver(deliveryOf(challenge))).toEqual({ status: 200, text: "c0ffee" });
  expect(await deliver(deliveryOf(challenge, "whsec_forged"))).toEqual({ status: 400, text: "" });
  expect([events, errors]).toEqual([[], [expect.any(WebhookVerificationError)]]);
});

test("an event is acknowledged once it was handled, and not if that failed", async () => {
  const { deliver, errors } = await start({ onEvent: () => Promise.reject(new Error("the database is down")) });
  expect(await deliver(deliveryOf(collection))).toEqual({ status: 500, text: "" });
  expect(errors).toEqual([new Error("the database is down")]);
  const { deliver: deliverAgain, events } = await start();
  expect((await deliverAgain(deliveryOf(collection))).status).toBe(200);
  expect(events).toEqual([collection]);
});

test("the raw body that a parser left is used; a parsed one is refused, and so is one without end", async () => {
  const raw = await start({ parse: (bytes) => bytes });
  expect((await raw.deliver(deliveryOf(collection))).status).toBe(200);
  const parsed = await start({ parse: (bytes) => JSON.parse(bytes.toString()) });
  expect((await parsed.deliver(deliveryOf(collection))).status).toBe(400);
  expect(parsed.errors).toMatchObject([{ code: "body_not_raw" }]);
  const { deliver, errors } = await start();
  expect((await deliver(deliveryOf({ ...collection, padding: "x".repeat(1_000_000) }))).status).toBe(500);
  expect(errors).toEqual([new Error("the body has more than 1000000 bytes")]);
});
