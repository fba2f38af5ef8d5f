import { type Actor, makeKeys, rollKey } from "@collect/contracts";
import type { Logger } from "@collect/runtime";
import { headers, type Msg, type MsgHdrs } from "nats";
import { afterAll, beforeEach, expect, test } from "vitest";
import { type Acts, answer, connectBus, createSeals, isSigned, serveRequests } from "../src/index.ts";
import { log, openBusWorld, SEEDS, until } from "./world.ts";

const world = await openBusWorld();
const url = world.nats().url;
const orders = `test:${"6".repeat(64)}`;
const alarms: unknown[] = [];
const alarmed = { ...log, error: (fields: { alarm?: string }) => void alarms.push(fields.alarm) } as unknown as Logger;
let clockIsAheadMs = 0;
const gateway = await connectBus({
  ...{ url, seed: SEEDS.gateway, name: "gateway", log: alarmed },
  seals: createSeals({ orders }, () => Date.now() + clockIsAheadMs),
});
const dashboard = await connectBus({
  ...{ url, seed: SEEDS.dashboard, name: "dashboard", log: alarmed },
  seals: createSeals({ orders }),
});
const operator = await connectBus({ url, seed: SEEDS.operator, name: "operator", log });
const administrator = await connectBus({ url, seed: SEEDS.administrator, name: "administrator", log });

const ADA: Actor = { kind: "member", user_id: "usr_ada", email: "ada@example.com" };
const BOLA: Actor = { kind: "member", user_id: "usr_bola", email: "bola@example.com" };
const made: Actor[] = [];
const rolled: Actor[] = [];
/** Admits what is signed at all, as the gateway does for a key that it knows. */
const acts: Acts = {
  admit: async ({ subject, body, signature }) => {
    expect(isSigned({ subject, body, ...signature })).toBe(true);
    return { admitted: true, operator: "ada", entry: { chain: "", seq: "1" } };
  },
  conclude: async () => {},
};
const requests = serveRequests(gateway, {
  ...{ service: "gateway", log, acts },
  requests: [
    answer(makeKeys, async (_input, { actor }) => {
      made.push(actor);
      return { made: null };
    }),
    answer(rollKey, async (_input, { actor }) => {
      rolled.push(actor);
      return { key: "sk_test_1", old_keys_expire_at: "2026-11-21T09:30:00.000+00:00" };
    }),
  ],
});
await requests.start();
afterAll(async () => {
  await requests.stop();
  await Promise.all([gateway, dashboard, operator, administrator].map((bus) => bus.close()));
  await world.close();
});
beforeEach(() => {
  for (const list of [alarms, made, rolled]) list.length = 0;
  clockIsAheadMs = 0;
});

const KEYS = { merchant_id: "mer_1", mode: "test" as const };
const make = () => dashboard.request(makeKeys, KEYS, { actor: ADA });
const ROLL = { ...KEYS, kind: "secret" as const, overlap_hours: 0 };

/** The next request for keys, as the broker's administrator sees it. */
async function seen(): Promise<Msg> {
  const subscription = administrator.nats.subscribe(makeKeys.subject, { max: 1 });
  await administrator.flush();
  await make();
  for await (const message of subscription) return message;
  throw new Error("the administrator saw nothing");
}
function send({ subject, reply }: Msg, payload: string, meta: MsgHdrs) {
  administrator.nats.publish(subject, payload, { ...(reply && { reply }), headers: meta });
}
const copied = (meta: MsgHdrs | undefined, changes: Record<string, string> = {}): MsgHdrs => {
  const copy = headers();
  for (const name of meta?.keys() ?? []) copy.set(name, changes[name] ?? meta?.get(name) ?? "");
  return copy;
};

test("an order is carried out for the actor that the service which sent it authenticated", async () => {
  expect(await make()).toEqual({ made: null });
  expect([made, alarms]).toEqual([[ADA], []]);
});

test("the broker's administrator can neither order in a service's name nor change the actor, the content or the time", async () => {
  const message = await seen();
  const order = message.string();
  send(message, order, headers());
  send(message, order, copied(message.headers, { Actor: JSON.stringify(BOLA) }));
  send(message, order.replace("mer_1", "mer_2"), copied(message.headers));
  send(message, order, copied(message.headers, { "Sent-At": String(Date.now() + 1) }));
  await until("all are alarmed", () => alarms.length === 4);
  expect(new Set(alarms)).toEqual(new Set(["forged_request"]));
  expect(made).toEqual([ADA]);
});

test("a true order that is sent again later is not carried out", async () => {
  const message = await seen();
  clockIsAheadMs = 301_000;
  send(message, message.string(), copied(message.headers));
  await until("it is alarmed", () => alarms.includes("forged_request"));
  expect(made).toEqual([ADA]);
});

test("an operator's signature proves an operator's order, and an order with neither is refused", async () => {
  expect(await operator.request(rollKey, ROLL)).toMatchObject({ key: "sk_test_1" });
  expect(rolled).toEqual([{ kind: "operator", name: "ada" }]);
  administrator.nats.publish(rollKey.subject, JSON.stringify(ROLL), { reply: "_INBOX_administrator.gateway.1" });
  await until("it is alarmed", () => alarms.includes("forged_request"));
  expect(rolled).toHaveLength(1);
});

test("a service that names an operator as the actor acts for itself, and on its bare word the actor is anonymous", async () => {
  await dashboard.request(makeKeys, KEYS, { actor: { kind: "operator", name: "ada" } });
  const meta = headers();
  meta.set("Actor", JSON.stringify({ kind: "operator", name: "ada" }));
  const reply = "_INBOX_dashboard.gateway.1";
  const order = { subject: makeKeys.subject, reply, payload: JSON.stringify(KEYS), headers: meta };
  createSeals({ orders }).orders?.sealRequest(order);
  administrator.nats.publish(order.subject, order.payload, { reply, headers: meta });
  await until("both are carried out", () => made.length === 2);
  expect(made).toEqual([{ kind: "system", service: "dashboard" }, { kind: "anonymous" }]);
});
