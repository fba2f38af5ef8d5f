import { someId } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { snapshotOf } from "../../src/inbound/domain/session-view.ts";
import { type KnownCopy, learnSessions } from "../../src/inbound/store/session-recovery.ts";
import { aSession } from "./a-session.ts";
import { openSessionsWorld, type SessionsWorld } from "./sessions-world.ts";

let world: SessionsWorld;
beforeAll(async () => {
  world = await openSessionsWorld({ expiring: { everyMs: 3_600_000 } });
});
afterAll(() => world.stop());

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const open = { createdAt: inMinutes(-5), expiresAt: inMinutes(25), watchUntil: inMinutes(145) };
const copyOf = (given: Parameters<typeof aSession>[0]): KnownCopy => {
  const { kept, ...copy } = snapshotOf(aSession({ ...open, ...given }));
  if (!kept) throw new Error("a snapshot keeps what payments needs");
  return { ...copy, kept };
};
const stored = async (...references: string[]) => {
  const { rows } = await world.owner.query(
    "select reference, status, slot_held, version, amount_received from sessions where reference = any($1) order by created_at",
    [references],
  );
  return rows;
};

test("a lost session is there again at the version of its copy, without its money, and holds its slot", async () => {
  const [reference, accountNumber] = [someId("pay"), "0000000025"];
  const paid = copyOf({
    reference,
    accountNumber,
    status: "paid",
    amountReceived: 1_000n,
    paidAt: open.createdAt,
    version: 4,
  });
  for (let times = 0; times < 2; times++) {
    expect(await learnSessions(world.pool, [paid])).toEqual([]);
    expect(await stored(reference)).toEqual([
      { reference, status: "pending", slot_held: true, version: 4, amount_received: 0n },
    ]);
  }
});

test("a session that took over the slot and the public call of an expired one is learned beside it", async () => {
  const [first, second] = [someId("pay_b"), someId("pay_a")];
  const call = { openedBy: "public_key" as const, merchantReference: someId("order"), accountNumber: "0000000033" };
  await learnSessions(world.pool, [copyOf({ ...call, reference: first })]);
  expect(await stored(first)).toMatchObject([{ status: "pending", slot_held: true }]);
  // What the restored database has lost: the first expired and gave its slot up, and the same call opened another.
  const expired = copyOf({ ...call, reference: first, status: "expired", version: 3, watchUntil: inMinutes(-1) });
  const next = copyOf({ ...call, reference: second, createdAt: inMinutes(-2) });
  expect(await learnSessions(world.pool, [next, expired])).toEqual([]);
  expect(await stored(first, second)).toMatchObject([
    { reference: first, status: "expired", version: 3 },
    { reference: second, status: "pending", version: 1 },
  ]);
});
