import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { verifyWebhook } from "@collect/sdk";
import { COMPILE_CACHE } from "@collect/servers";
import { type Received, startReceiver, until } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import { sharedStack } from "../stack/shared.ts";

const stack = await sharedStack();

const main = fileURLToPath(new URL("../../packages/cli/src/main.ts", import.meta.url));

/** A merchant's developer, at a terminal with a test key. */
async function aTerminal() {
  const merchant = await stack.createMerchant();
  const env = { ...{ PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE }, COLLECT_KEY: merchant.keys.sk_test };
  const start = (...args: string[]) =>
    spawn(process.execPath, [main, ...args, "--json", "--base-url", stack.baseUrl], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
  const collect = async (...args: string[]) => {
    const child = start(...args);
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    const results = stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return { code, results, stderr };
  };
  const result = async (...args: string[]) => {
    const { code, results, stderr } = await collect(...args);
    expect([code, stderr]).toEqual([0, ""]);
    return results;
  };
  return { merchant, start, collect, result };
}

test("accounts, payments and collections, from the first account to what was settled", async () => {
  const { collect, result } = await aTerminal();
  const [account] = await result("accounts", "create", "cust_42", "--name", "Ada Obi");
  expect(await result("accounts", "show", "cust_42")).toEqual([account]);
  expect(await result("accounts", "list", "--status", "active")).toEqual([account]);

  const order = ["--amount", "2500", "--reference", "order-1", "--customer", "cust_42"];
  const [payment] = await result("payments", "create", ...order);
  expect(payment).toMatchObject({ account_number: account.account_number, merchant_reference: "order-1" });
  const [event] = await result("trigger", "collection.success", "--payment", payment.reference);
  expect(event).toMatchObject({ sequence: 1, event: "collection.success", reference: payment.reference });
  expect(await result("payments", "show", payment.reference)).toMatchObject([{ status: "paid" }]);
  const [received] = await result("collections", "show", payment.reference);
  expect(await result("collections", "list", "--payment", payment.reference)).toEqual([received]);
  expect(await result("settle")).toMatchObject([{ amount: received.net }]);

  const [other] = await result("payments", "create", "--amount", "70");
  expect(await result("payments", "cancel", other.reference)).toMatchObject([{ status: "expired" }]);
  expect(await result("payments", "list", "--status", "paid")).toMatchObject([{ reference: payment.reference }]);
  expect(await collect("payments", "show", "pay_none")).toMatchObject({ code: 1, results: [] });
});

test("every event that it offers can be triggered, and is in the log", async () => {
  const { merchant, result } = await aTerminal();
  await result("accounts", "create", "cust_42", "--name", "Ada Obi");
  await result("trigger", "collection.success", "--customer", "cust_42", "--amount", "10.50");
  for (const event of ["transfer.success", "transfer.failed", "transfer.reversed"])
    expect(await result("trigger", event, "--amount", "100")).toMatchObject([{ event }]);
  const kinds = (await result("events", "list", "--from", "1h")).map(({ event }) => event);
  expect(kinds).toEqual(expect.arrayContaining(["collection.success", "transfer.failed", "transfer.reversed"]));
  const [first] = await result("events", "show", "1");
  expect(JSON.parse(first.body).data).toMatchObject({ customer_reference: "cust_42", amount: 10.5 });
  const before = merchant.received("test").length;
  expect(await result("events", "replay", first.id)).toMatchObject([{ sequence: 1 }]);
  await until("it is delivered again", () => merchant.received("test").length > before);
});

test("a session ends when the test clock is advanced, and the log can still be searched by age", async () => {
  const { result } = await aTerminal();
  const [payment] = await result("payments", "create", "--amount", "70");
  await result("trigger", "collection.success");
  expect(await result("clock", "advance", "2d")).toMatchObject([{ has_more: false, mode: "test" }]);
  expect(await result("payments", "show", payment.reference)).toMatchObject([{ status: "expired" }]);
  await result("trigger", "collection.success");
  expect(await result("events", "list", "--from", "1h")).toMatchObject([{ sequence: 1 }, { sequence: 2 }]);
  expect((await result("clock", "show"))[0].ahead_by).toBeGreaterThan(86_400);
});

test("what is forwarded cannot be told from a delivery, but by its number", async () => {
  const { merchant, start, result } = await aTerminal();
  await result("trigger", "collection.success");
  await result("trigger", "collection.success");
  const [delivered] = await merchant.untilReceived("test", 2);
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const listening = start("listen", "--forward-to", receiver.url, "--from", "1", "--secret", merchant.secrets.test);
  onTestFinished(() => void listening.kill("SIGKILL"));
  const [forwarded] = await receiver.count(2);
  if (!delivered || !forwarded) throw new Error("nothing was received");
  expect(forwarded.raw).toEqual(delivered.raw);
  expect(verifyWebhook(forwarded.raw, forwarded.headers, merchant.secrets.test).event).toBe("collection.success");
  const ofEvent = ({ headers }: Received) =>
    Object.entries(headers).filter(([name]) =>
      /^(x-service-(?!delivery)|content-type|user-agent|webhook-id)/.test(name),
    );
  expect(Object.fromEntries(ofEvent(forwarded))).toEqual(Object.fromEntries(ofEvent(delivered)));
  listening.kill("SIGINT");
  expect((await once(listening, "close"))[0]).toBe(0);
});
