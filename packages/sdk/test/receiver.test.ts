import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { collection, deliveryOf, SECRET, signed } from "./signing.ts";

const script = fileURLToPath(new URL("../examples/receiver.ts", import.meta.url));
let directory: string;
let running: ChildProcess[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "collect-receiver-"));
});
afterEach(async () => {
  for (const child of running.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  running = [];
  await rm(directory, { recursive: true, force: true });
});

/** The example as its README describes it, as a separate process; every time with the same database file. */
async function startReceiver() {
  const port = await freePort();
  const environment = { WEBHOOK_SECRET: SECRET, PORT: String(port), CREDITED_FILE: join(directory, "credited.sqlite") };
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.push(child);
  if (!child.stdout) throw new Error("the child has no stdout");
  await once(createInterface(child.stdout), "line");
  return { child, url: `http://127.0.0.1:${port}/` };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return address !== null && typeof address === "object" ? address.port : 0;
}

async function deliver(url: string, { raw, headers }: { raw: Buffer<ArrayBuffer>; headers: Record<string, string> }) {
  const { status } = await fetch(url, { method: "POST", headers, body: raw });
  return status;
}

function balances(): Record<string, unknown>[] {
  const database = new DatabaseSync(join(directory, "credited.sqlite"));
  const rows = database.prepare("select customer, kobo from balances order by customer").all();
  database.close();
  return rows.map((row) => ({ ...row }));
}

const aCollection = (reference: string) => deliveryOf({ ...collection, data: { ...collection.data, reference } });

test("an event delivered again, concurrently and after the process was killed, is credited once", async () => {
  const first = await startReceiver();
  const again = [1, 2, 3].map(() => deliver(first.url, aCollection("col_1")));
  expect(await Promise.all(again)).toEqual([200, 200, 200]);
  expect(await deliver(first.url, aCollection("col_2"))).toBe(200);
  expect(balances()).toEqual([{ customer: "cust_42", kobo: 500_146 }]);

  first.child.kill("SIGKILL");
  await once(first.child, "exit");
  const second = await startReceiver();
  expect(await deliver(second.url, aCollection("col_1"))).toBe(200);
  expect(await deliver(second.url, aCollection("col_3"))).toBe(200);
  expect(balances()).toEqual([{ customer: "cust_42", kobo: 750_219 }]);
});

test("money of an order or a session is credited to it, and what belongs to neither once it is attached", async () => {
  const { url } = await startReceiver();
  const none = { customer_reference: null, merchant_reference: null, payment_reference: null };
  const sent = (reference: string, given: object, event = "collection.success") =>
    deliver(url, deliveryOf({ ...collection, event, data: { ...collection.data, reference, ...none, ...given } }));
  await sent("pay_1", { merchant_reference: "order-1", payment_reference: "pay_1" });
  await sent("pay_2", { payment_reference: "pay_2" });
  await sent("col_3", {});
  const credited = [
    { customer: "order-1", kobo: 250_073 },
    { customer: "pay_2", kobo: 250_073 },
  ];
  expect(balances()).toEqual(credited);
  await sent("col_3", { payment_reference: "pay_3" }, "collection.attached");
  expect(balances()).toEqual([...credited, { customer: "pay_3", kobo: 250_073 }]);
});

test("forged and modified events are refused and credit nothing", async () => {
  const { url } = await startReceiver();
  expect(await deliver(url, deliveryOf(collection, "whsec_forged"))).toBe(400);
  const { headers } = aCollection("col_1");
  const raw = Buffer.from(JSON.stringify({ ...collection, data: { ...collection.data, amount: 9_999_999 } }));
  expect(await deliver(url, { raw, headers })).toBe(400);
  expect(balances()).toEqual([]);
});

test("a challenge is answered, and an event that was recorded an hour ago is refused", async () => {
  const { url } = await startReceiver();
  const { raw, headers } = deliveryOf({ event: "endpoint.challenge", mode: "test", data: { challenge: "chl_1" } });
  const answer = await fetch(url, { method: "POST", headers, body: raw });
  expect([answer.status, await answer.text()]).toEqual([200, "chl_1"]);
  const old = aCollection("col_1");
  expect(await deliver(url, { ...old, headers: { ...old.headers, ...signed(old.raw, SECRET, 3_600) } })).toBe(400);
  expect(balances()).toEqual([]);
});

test("an event of another kind is acknowledged and credits nothing", async () => {
  const { url } = await startReceiver();
  expect(await deliver(url, deliveryOf({ ...collection, event: "transfer.failed" }))).toBe(200);
  expect(await deliver(url, deliveryOf({ ...collection, event: "something.new" }))).toBe(200);
  expect(balances()).toEqual([]);
});

test("without its secret it does not start, and prints the reason", async () => {
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "ignore", "pipe"],
  });
  running.push(child);
  const said: string[] = [];
  child.stderr.on("data", (chunk) => said.push(String(chunk)));
  const [code] = await once(child, "close");
  expect([code, said.join("")]).toEqual([1, expect.stringContaining("WEBHOOK_SECRET is missing")]);
});
