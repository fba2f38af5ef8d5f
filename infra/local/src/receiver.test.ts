import { createHmac } from "node:crypto";
import { freePort } from "@collect/servers";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { Received, startReceiver } from "./receiver.ts";

const secrets = { test: "secret of test", live: "secret of live" };
const sign = (body: string, secret: string) => createHmac("sha512", secret).update(body).digest("hex");

async function aReceiver() {
  const port = await freePort();
  const receiver = await startReceiver({ port, stack: { pid: 1 }, secretOf: (mode) => secrets[mode] });
  onTestFinished(receiver.stop);
  const url = `http://127.0.0.1:${port}`;
  return {
    post: (path: string, body: string, signature: string) =>
      fetch(url + path, {
        method: "POST",
        body,
        headers: {
          "x-service-signature": signature,
          "x-service-event": "collection.success",
          "x-service-sequence": "7",
        },
      }),
    list: async (query = "") =>
      z.object({ data: z.array(Received) }).parse(await (await fetch(`${url}/received${query}`)).json()).data,
  };
}

test("a webhook signed over its raw bytes is acknowledged and listed as verified, byte for byte", async () => {
  const { post, list } = await aReceiver();
  const body = '{ "event":"collection.success",\n"amount": 10.50 }';
  expect((await post("/hooks/test", body, sign(body, secrets.test))).status).toBe(200);
  expect(await list()).toMatchObject([
    { mode: "test", verified: true, event: "collection.success", sequence: 7, raw: body },
  ]);
});

test.each([
  ["another body", sign('{"amount":1}', secrets.test)],
  ["the other mode's secret", sign('{"amount":2}', secrets.live)],
  ["no signature", ""],
  ["capital letters", sign('{"amount":2}', secrets.test).toUpperCase()],
])("a signature of %s gets a 401 and is listed as not verified", async (_what, signature) => {
  const { post, list } = await aReceiver();
  expect((await post("/hooks/test", '{"amount":2}', signature)).status).toBe(401);
  expect(await list()).toMatchObject([{ verified: false }]);
});

test("modes are listed separately, and only the last 1,000 deliveries are kept", async () => {
  const { post, list } = await aReceiver();
  await post("/hooks/live", "{}", sign("{}", secrets.live));
  expect([(await list("?mode=live")).length, (await list("?mode=test")).length]).toEqual([1, 0]);
  for (let n = 0; n < 1_005; n++) await post("/hooks/test", "{}", "");
  expect(await list()).toHaveLength(1_000);
});
