import { completeTransfer } from "@collect/contracts";
import type { Logger } from "@collect/runtime";
import { headers } from "nats";
import { afterAll, beforeEach, expect, test } from "vitest";
import { answer, type Bus, connectBus, createSeals, serveRequests } from "../src/index.ts";
import { log, openBusWorld, SEEDS, until } from "./world.ts";

const world = await openBusWorld();
const url = world.nats().url;
const seals = createSeals({ payouts: `test:${"5".repeat(64)}`, orders: `test:${"6".repeat(64)}` });
const alarms: unknown[] = [];
const alarmed = { ...log, error: (fields: { alarm?: string }) => void alarms.push(fields.alarm) } as unknown as Logger;
const ledger = await connectBus({ url, seed: SEEDS.ledger, name: "ledger", log: alarmed, seals });
const payments = await connectBus({ url, seed: SEEDS.payments, name: "payments", log: alarmed, seals });
/** The broker's administrator. */
const administrator = await connectBus({ url, seed: SEEDS.administrator, name: "administrator", log });

const booked: string[] = [];
const requests = serveRequests(ledger, {
  service: "ledger",
  log,
  requests: [
    answer(completeTransfer, async ({ transfer_id }) => {
      booked.push(transfer_id);
      return { booked: "as_told" as const };
    }),
  ],
});
await requests.start();
afterAll(async () => {
  await requests.stop();
  await Promise.all([ledger.close(), payments.close(), administrator.close()]);
  await world.close();
});
beforeEach(() => {
  alarms.length = 0;
  booked.length = 0;
});

const outcome = (transfer_id: string) => ({
  transfer_id,
  merchant: { id: "mer_1", mode: "live" as const },
  amount: "100",
  outcome: "reversed" as const,
});
const complete = (bus: Bus, transferId: string) => bus.request(completeTransfer, outcome(transferId));

test("a request is handled if it proves its caller, and the response is taken if it proves its service", async () => {
  expect(await complete(payments, "trf_1")).toEqual({ booked: "as_told" });
  expect([booked, alarms]).toEqual([["trf_1"], []]);
});

test("a forged request, or a true one with another content or place for its response, is not handled, but alarmed", async () => {
  const seen: { payload: string; mac: string; reply: string }[] = [];
  administrator.nats.subscribe(completeTransfer.subject, {
    callback: (_error, message) =>
      void seen.push({ payload: message.string(), mac: message.headers?.get("Mac") ?? "", reply: message.reply ?? "" }),
  });
  await administrator.flush();
  await complete(payments, "trf_2");
  const [{ payload, mac, reply } = { payload: "", mac: "", reply: "" }] = seen;
  const send = (forged: string, to: string, proof?: string) => {
    const meta = headers();
    if (proof) meta.set("Mac", proof);
    administrator.nats.publish(completeTransfer.subject, forged, { reply: to, headers: meta });
  };
  send(payload, reply);
  send(payload.replace("trf_2", "trf_3"), reply, mac);
  send(payload, "_INBOX_administrator.ledger.1", mac);
  await until("all are alarmed", () => alarms.length === 3);
  expect([booked, alarms]).toEqual([["trf_2"], ["forged_request", "forged_request", "forged_request"]]);
});

test("a forged response is alarmed, and the true one is still taken", async () => {
  const subscription = administrator.nats.subscribe(completeTransfer.subject, {
    callback: (_error, message) => void message.respond(JSON.stringify({ data: { booked: "suspense" } })),
  });
  await administrator.flush();
  expect(await complete(payments, "trf_4")).toEqual({ booked: "as_told" });
  await until("it is alarmed or came too late to matter", async () => {
    await complete(payments, "trf_5");
    return alarms.includes("forged_response");
  });
  subscription.unsubscribe();
});

test("a service without the keys can neither send such a request nor answer one", async () => {
  const keyless = await connectBus({ url, seed: SEEDS.payments, name: "payments", log });
  await expect(complete(keyless, "trf_6")).rejects.toThrow("could not be forwarded");
  await keyless.close();
  expect(booked).toEqual([]);
});
