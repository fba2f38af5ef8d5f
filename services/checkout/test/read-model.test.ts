import { sessionChanged } from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { deleteCopies } from "../src/store/session-views.ts";
import { ageCopies, aReference, aSession, call, inMinutes, paid, publishSessions, startCheckout } from "./checkout.ts";
import { useCheckout } from "./world.ts";

const { world, fakes, show } = await useCheckout();

const statusOf = async (reference: string) => (await show(reference)).body.status;
const readsOf = (reference: string) => fakes.reads.filter(({ references }) => references.includes(reference)).length;
const rowOf = async (reference: string) =>
  (await world.owner.query("select * from session_views where reference = $1", [reference])).rows[0];

test("a session known from an event is returned without a request to payments", async () => {
  const session = aSession();
  await publishSessions(world, session);
  expect(await statusOf(session.reference)).toBe("pending");
  expect(readsOf(session.reference)).toBe(0);
});

test("an older version never replaces a newer one, alone, repeated or in one batch", async () => {
  const session = aSession();
  const newer = paid(session);
  await publishSessions(world, newer);
  const last = aSession();
  await world.others.publish(sessionChanged, [session, newer, session, { ...newer, version: 1, status: "expired" }]);
  await publishSessions(world, last);
  expect(await statusOf(session.reference)).toBe("paid");
  expect((await rowOf(session.reference)).version).toBe(2n);

  const other = aSession();
  await world.others.publish(sessionChanged, [paid(other), other]);
  await until("the newer one is returned", async () => (await statusOf(other.reference)) === "paid");
});

test("a response of payments never overwrites a newer event", async () => {
  const session = aSession();
  await publishSessions(world, paid(session));
  fakes.addSessions(session);
  await ageCopies(world, 1, session);
  await show(session.reference);
  await until("read again", () => readsOf(session.reference) === 1);
  const row = await until("confirmed", async () => {
    const row = await rowOf(session.reference);
    return Date.parse(row.refreshed_at) > Date.now() - 20_000 && row;
  });
  expect([row.version, row.snapshot.status]).toEqual([2n, "paid"]);
});

test("a lost event: a stale copy is returned at once and refreshed for the next read", async () => {
  const session = aSession();
  await publishSessions(world, session);
  fakes.addSessions(paid(session));
  await ageCopies(world, 1, session);
  expect(await statusOf(session.reference)).toBe("pending");
  await until("current", async () => (await statusOf(session.reference)) === "paid");
  expect(readsOf(session.reference)).toBe(1);
});

test("an unchanged copy is confirmed, and not read again for another 30 seconds", async () => {
  const session = aSession();
  await publishSessions(world, session);
  fakes.addSessions(session);
  await ageCopies(world, 1, session);
  await show(session.reference);
  await until("read again", () => readsOf(session.reference) === 1);
  await until("confirmed", async () => Date.parse((await rowOf(session.reference)).refreshed_at) > Date.now() - 20_000);
  const later = aSession();
  fakes.addSessions(later);
  await show(session.reference);
  await show(later.reference);
  expect([readsOf(session.reference), readsOf(later.reference)]).toEqual([1, 1]);
});

test("a session whose watch window closed after its last confirmation is read again, one last time", async () => {
  const old = { expiresAt: inMinutes(-300), watchUntil: inMinutes(-180) };
  const [topUp, final] = [aSession({ ...old, status: "underpaid" }), aSession({ ...old, status: "paid" })];
  await publishSessions(world, topUp, final);
  fakes.addSessions({ ...topUp, version: 2, status: "paid" }, final);
  // Confirmed while its window was open, and an hour after it had closed.
  await ageCopies(world, 200, topUp);
  await ageCopies(world, 100, final);
  expect(await statusOf(topUp.reference)).toBe("underpaid");
  await show(final.reference);
  await until("current", async () => (await statusOf(topUp.reference)) === "paid");
  expect(readsOf(final.reference)).toBe(0);
});

test("with an empty read model, each session is read from payments on request", async () => {
  const sessions = Array.from({ length: 20 }, () => aSession());
  await publishSessions(world, ...sessions);
  fakes.addSessions(...sessions.map(paid));
  await world.owner.query("truncate session_views");
  const shown = await Promise.all(sessions.map(({ reference }) => statusOf(reference)));
  expect(new Set(shown)).toEqual(new Set(["paid"]));
  const { rowCount } = await world.owner.query("select from session_views where version = 2 and reference = any($1)", [
    sessions.map(({ reference }) => reference),
  ]);
  expect(rowCount).toBe(20);
});

test("an unknown reference is requested once, cached briefly, and requested again later", async () => {
  const reference = aReference();
  const quick = await startCheckout(world, { refresh: { everyMs: 20, missTtlMs: 300 } });
  const missing = () => call(quick, "GET", `/checkout/${reference}`);
  const responses = await Promise.all(Array.from({ length: 20 }, missing));
  for (const { status, body } of responses) expect([status, body.code]).toEqual([404, "not_found"]);
  expect(readsOf(reference)).toBe(1);
  fakes.addSessions(aSession({ reference }));
  await until("known", async () => (await missing()).status === 200);
  expect(readsOf(reference)).toBe(2);
  await quick.stop();
});

test("a malformed reference is refused without a read, like an unknown one", async () => {
  const unknown = await show(aReference());
  const malformed = ["pay_short", "x", "pay_0OIl567890123456789012", `${aReference()}x`, "%zz", "a%2Fb", "__proto__"];
  const before = fakes.reads.length;
  for (const reference of malformed) {
    const refused = await show(reference);
    expect([refused.status, { ...refused.body, request_id: "" }]).toEqual([404, { ...unknown.body, request_id: "" }]);
    expect(refused.headers.get("ratelimit")).toBe(null);
  }
  expect(fakes.reads.length).toBe(before);
});

test("the service can write its copies, and not empty or change the tables", async () => {
  await expect(world.pool.query("truncate session_views")).rejects.toThrow("permission denied");
  await expect(world.pool.query("truncate rate_limit_hits")).rejects.toThrow("permission denied");
});

test("a copy that nobody has looked at for a month is deleted, and read again when somebody does", async () => {
  const [unused, recent] = [aSession(), aSession()];
  await publishSessions(world, unused, recent);
  fakes.addSessions(unused);
  await ageCopies(world, 31 * 1_440, unused);
  expect(await deleteCopies(world.pool, { days: 30, max: 1_000 })).toBe(1);
  expect([await rowOf(unused.reference), (await rowOf(recent.reference)).version]).toEqual([undefined, 1n]);
  expect(await statusOf(unused.reference)).toBe("pending");
  expect((await rowOf(unused.reference)).version).toBe(1n);
});
