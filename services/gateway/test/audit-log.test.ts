import {
  type Actor,
  browseAuditLog,
  concludeAct,
  createMerchant,
  exportAuditLog,
  exportAuditLogs,
  importActs,
  recordAct,
  verifyAuditLog,
  type WireResult,
} from "@collect/contracts";
import { randomId, startComponents, until } from "@collect/testing";
import { expect, test } from "vitest";
import { copyOldAuditLog, logHeads } from "../src/workers/audit-log.ts";
import { aShop, call, startGateway, useGateway } from "./gateway.ts";
import { useOthers } from "./others.ts";

const { world, gateway } = await useGateway();
const others = await useOthers(world);
const ADA: Actor = { kind: "member", user_id: "usr_ada", email: "ada@example.com" };

const act = (merchant_id: string | null, action = "webhook.set", detail = {}) => ({
  ...{ merchant_id, mode: "test" as const, action, detail },
});
const record = (merchant_id: string | null, action?: string, detail?: object) =>
  world.others.request(recordAct, act(merchant_id, action, detail), { requestId: "req-1", actor: ADA });
const browse = async (id: string, after?: string) =>
  (await world.others.request(browseAuditLog, { merchant: { id, mode: "live" }, limit: 100, after })).data;
const verify = async (chain: string) => {
  const { chains } = await world.others.request(verifyAuditLog, { chain, after: null });
  return chains[0];
};

test("an act is recorded with the actor that the sender authenticated, and its outcome once", async () => {
  const id = randomId("mer");
  const entry = await record(id, "webhook.set", { url: "https://shop.example/hook" });
  expect(await browse(id)).toMatchObject([
    { action: "webhook.set", actor: { kind: "member", id: "usr_ada", label: "ada@example.com" }, outcome: "unknown" },
  ]);
  const conclude = (outcome: "done" | "refused") => world.others.request(concludeAct, { entry, outcome });
  await Promise.all(Array.from({ length: 4 }, () => conclude("done")));
  await conclude("refused");
  expect(await browse(id)).toMatchObject([{ outcome: "done", detail: { url: "https://shop.example/hook" } }]);
  expect(await verify(id)).toMatchObject({ entries: 2, fault: null });
});

test("a list of acts is paged, and a cursor that was made up is refused", async () => {
  const id = randomId("mer");
  for (const action of ["one", "two", "three"]) await record(id, action);
  const page = (after?: string) =>
    world.others.request(browseAuditLog, { merchant: { id, mode: "live" }, limit: 2, after });
  const first = await page();
  const second = await page(first.next ?? "");
  expect([...first.data, ...second.data].map(({ action }) => action)).toEqual(["three", "two", "one"]);
  expect(second.next).toBeNull();
  await expect(page("nonsense")).rejects.toMatchObject({ code: "validation_failed" });
});

test("concurrent acts of a merchant make one chain without a gap", async () => {
  const id = randomId("mer");
  const second = await startGateway(world);
  try {
    await Promise.all(Array.from({ length: 60 }, (_, index) => record(id, `act.${index}`)));
  } finally {
    await second.stop();
  }
  expect(await verify(id)).toMatchObject({ entries: 60, fault: null });
  expect(new Set((await browse(id)).map(({ action }) => action)).size).toBe(60);
});

test("the log is append-only, for the service and for the owner of the database", async () => {
  await record(randomId("mer"));
  for (const change of [
    "update audit_entries set action = 'nothing'",
    "delete from audit_entries",
    "truncate audit_entries",
  ]) {
    await expect(world.pool.query(change)).rejects.toThrow("permission denied");
    await expect(world.owner.query(change)).rejects.toThrow("append-only");
  }
});

const tampered = async (change: string, id: string) => {
  await world.owner.query("alter table audit_entries disable trigger audit_entries_are_append_only");
  await world.owner.query(change, [id]);
  await world.owner.query("alter table audit_entries enable trigger audit_entries_are_append_only");
};

test.each([
  [
    "an entry that was changed",
    "update audit_entries set detail = '{\"a\":2}' where chain = $1 and seq = 2",
    /entry 2 was changed/,
  ],
  [
    "an actor that was changed",
    "update audit_entries set actor_label = 'x' where chain = $1 and seq = 1",
    /entry 1 was changed/,
  ],
  ["an entry that was deleted", "delete from audit_entries where chain = $1 and seq = 2", /entry 2 is missing/],
  [
    "entries that were swapped",
    "update audit_entries set seq = seq + (case seq when 2 then 10 when 3 then -1 else 0 end) where chain = $1",
    /entry 2/,
  ],
])("%s by the owner of the database is found", async (_what, change, fault) => {
  const id = randomId("mer");
  for (const detail of [{ a: 1 }, { a: 1 }, { a: 3 }, { a: 4 }]) await record(id, "webhook.set", detail);
  expect(await verify(id)).toMatchObject({ fault: null });
  await tampered(change, id);
  expect(await verify(id)).toMatchObject({ fault: expect.stringMatching(fault) });
});

test("a chain whose end was cut off has another head than the one that was logged", async () => {
  const id = randomId("mer");
  await record(id);
  await record(id);
  const lines: { chain?: string; head?: string }[] = [];
  const log = Object.assign(Object.create(world.log), { info: (line: object) => void lines.push(line) });
  const stop = await startComponents([logHeads(world.pool, { log })]);
  await until("the heads are logged", () => lines.some(({ chain }) => chain === id));
  await stop();
  const anchor = lines.find(({ chain }) => chain === id)?.head;
  expect(anchor).toBe((await verify(id))?.head);
  await tampered("delete from audit_entries where chain = $1 and seq = 2", id);
  expect(await verify(id)).toMatchObject({ entries: 1, fault: null });
  const { chains } = await world.others.request(verifyAuditLog, { chain: id, head: anchor, after: null });
  expect(chains).toMatchObject([{ fault: expect.stringContaining("is not in it any more") }]);
});

test("every chain is verified, and one is exported with its hashes", async () => {
  const id = randomId("mer");
  await record(id);
  const names = [];
  for (let after: string | null = null; ; ) {
    const page: { chains: { chain: string }[]; next: string | null } = await world.others.request(verifyAuditLog, {
      after,
    });
    names.push(...page.chains.map(({ chain }) => chain));
    if (!page.next) break;
    after = page.next;
  }
  expect(names).toContain(id);
  const span = { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };
  const exported = await world.others.request(exportAuditLog, { merchant_id: id, ...span, after: "0" });
  expect(exported).toMatchObject({
    entries: [{ chain: id, seq: "1", hash: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    next: null,
  });
  const before = { merchant_id: id, from: span.from, to: span.from, after: "0" };
  expect((await world.others.request(exportAuditLog, before)).entries).toEqual([]);
});

test("the entries of all chains are exported by time, each once, over many pages of equal times", async () => {
  const at = "2031-02-03T04:05:06.000+00:00";
  const ids = [randomId("mer"), randomId("mer")];
  const imported = (merchant_id: string | null) => ({
    ...{ ...act(merchant_id), key: randomId("dashboard"), actor: ADA },
    ...{ outcome: "done" as const, request_id: "req-1", at },
  });
  for (let n = 0; n < 3; n++)
    await world.others.request(importActs, {
      acts: [...ids, null].flatMap((id) => Array.from({ length: 60 }, () => imported(id))),
    });
  const entries = [];
  const span = { from: "2031-01-01T00:00:00Z", to: "2031-12-31T00:00:00Z" };
  for (let after: WireResult<typeof exportAuditLogs>["next"] = null; ; ) {
    const page: WireResult<typeof exportAuditLogs> = await world.others.request(exportAuditLogs, { ...span, after });
    entries.push(...page.entries);
    if (!page.next) break;
    after = page.next;
  }
  expect(entries).toHaveLength(540);
  expect(new Set(entries.map(({ chain, seq }) => `${chain} ${seq}`)).size).toBe(540);
  expect(new Set(entries.map(({ chain }) => chain))).toEqual(new Set([...ids, ""]));
  const ended = { from: "2031-01-01T00:00:00Z", to: at, after: null };
  expect((await world.others.request(exportAuditLogs, ended)).entries).toEqual([]);
});

test("imported acts are added once, however often they arrive", async () => {
  const id = randomId("mer");
  const one = { ...act(id), key: randomId("dashboard"), actor: ADA, outcome: "done" as const, request_id: "req-1" };
  const acts = [{ ...one, at: "2026-11-21T09:30:00Z" }];
  await Promise.all(Array.from({ length: 4 }, () => world.others.request(importActs, { acts })));
  expect(await browse(id)).toMatchObject([{ at: "2026-11-21T09:30:00.000+00:00", outcome: "done" }]);
  expect(await verify(id)).toMatchObject({ entries: 1, fault: null });
});

test("the previous release's log is copied once", async () => {
  const { merchant_id } = await world.others.request(createMerchant, { name: "Ada Stores" });
  await world.owner.query(
    "insert into audit_log (merchant_id, action, request_id) values ($1, 'key.rolled', 'ops_forged')",
    [merchant_id],
  );
  for (let times = 0; times < 2; times++) {
    const stop = await startComponents([copyOldAuditLog(world.pool, { log: world.log })]);
    await until("it is copied", async () => (await browse(merchant_id)).length > 0);
    await stop();
  }
  expect(await browse(merchant_id)).toMatchObject([{ action: "key.rolled", actor: { kind: "system" } }]);
});

test("a payout by API is recorded with the key before it is ordered, and the client's request id is not ours", async () => {
  const { id, sk_live } = await aShop(world);
  const response = await fetch(`${gateway.url}/transfers`, {
    method: "POST",
    headers: { authorization: `Bearer ${sk_live}`, "content-type": "application/json", "x-request-id": "ops_forged" },
    body: JSON.stringify({ amount: 100, bank_code: "058", account_number: "0123456789", reference: "trf-1" }),
  });
  expect(response.headers.get("x-request-id")).toBe("ops_forged");
  const { rows } = await world.pool.query(
    "select actor_kind, actor_label, action, detail, request_id, client_request_id from audit_entries where chain = $1 and action = 'transfer.made' and about is null",
    [id],
  );
  expect(rows).toEqual([
    {
      ...{ actor_kind: "key", actor_label: `sk_live_…${sk_live.slice(-4)}`, action: "transfer.made" },
      detail: '{"account":"…6789","amount":100,"bank_code":"058","reference":"trf-1"}',
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      client_request_id: "ops_forged",
    },
  ]);
});

test("nothing is ordered if its record cannot be written", async () => {
  const { sk_live } = await aShop(world);
  others.asked.length = 0;
  await world.owner.query("revoke insert on audit_entries from collect_gateway");
  try {
    const body = { amount: 100, bank_code: "058", account_number: "0123456789", reference: "trf-1" };
    expect((await call(gateway, "POST", "/transfers", { key: sk_live, body })).status).toBe(500);
    expect(others.asked).toEqual([]);
  } finally {
    await world.owner.query("grant insert on audit_entries to collect_gateway");
  }
});
