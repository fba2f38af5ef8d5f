import { randomUUID } from "node:crypto";
import {
  type Actor,
  browseAuditLog,
  concludeAct,
  createMerchant,
  importActs,
  recordAct,
  verifyAuditLog,
} from "@collect/contracts";
import { randomId } from "@collect/testing";
import { expect, test } from "vitest";
import { useGateway } from "./gateway.ts";

const { world } = await useGateway();
const ADA: Actor = { kind: "member", user_id: "usr_ada", email: "ada@example.com" };

const act = (merchant_id: string, action = "webhook.set") => ({
  ...{ merchant_id, mode: "test" as const, action, detail: {} },
});
const record = (merchant_id: string, action: string) =>
  world.others.request(recordAct, act(merchant_id, action), { requestId: "req-1", actor: ADA });
const browse = async (id: string) =>
  (await world.others.request(browseAuditLog, { merchant: { id, mode: "live" }, limit: 100 })).data;
const verify = async (chain: string) => (await world.others.request(verifyAuditLog, { chain, after: null })).chains[0];

test("another service than the one that recorded an act cannot report its outcome, nor change its actor", async () => {
  const id = randomId("mer");
  const entry = await record(id, "webhook.set");
  const { chain, seq } = entry;
  const conclude = (as: typeof entry) => world.others.request(concludeAct, { entry: as, outcome: "refused" });
  await conclude({ chain, seq });
  await conclude({ chain, seq, ticket: "0".repeat(32) });
  await conclude({ chain, seq, ticket: (await record(id, "key.rolled")).ticket });
  expect(await browse(id)).toMatchObject([{ outcome: "unknown" }, { outcome: "unknown" }]);

  const mallory: Actor = { kind: "member", user_id: "usr_mallory", email: "mallory@example.com" };
  await world.others.request(concludeAct, { entry, outcome: "done" }, { actor: mallory });
  const { rows } = await world.pool.query(
    "select actor_kind, actor_label, outcome from audit_entries where chain = $1 and about is not null",
    [id],
  );
  expect(rows).toEqual([{ actor_kind: "member", actor_label: "ada@example.com", outcome: "done" }]);
  expect(await verify(id)).toMatchObject({ entries: 3, fault: null });
});

test("a service cannot record an operator's act, nor one without an actor", async () => {
  const id = randomId("mer");
  for (const actor of [{ kind: "operator", name: "ada" }, { kind: "anonymous" }] satisfies Actor[]) {
    const sent = world.others.request(recordAct, act(id), { actor });
    await expect(sent).rejects.toMatchObject({ code: "invalid_operator" });
  }
  expect(await browse(id)).toEqual([]);
});

test("an imported act of an operator is one only if that operator's signature was admitted for it", async () => {
  const id = randomId("mer");
  const requestId = randomUUID();
  await world.others.request(createMerchant, { name: "Ada Stores" }, { requestId });
  const of = (name: string, action: string, request_id: string) => ({
    ...{ ...act(id, action), key: randomId("dashboard"), actor: { kind: "operator" as const, name } },
    ...{ outcome: "done" as const, request_id, at: new Date().toISOString() },
  });
  const acts = [
    of("tester", "merchant.created", requestId),
    of("ada", "merchant.created", requestId),
    of("tester", "merchant.verified", requestId),
    of("tester", "merchant.created", randomUUID()),
  ];
  await world.others.request(importActs, { acts });
  expect((await browse(id)).map(({ actor }) => actor.label)).toEqual(["dashboard", "dashboard", "dashboard", "tester"]);
});
