import { sessionChanged } from "@collect/contracts";
import { until, type World } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  age,
  aReference,
  aSession,
  type Checkout,
  call,
  inMinutes,
  openCheckoutWorld,
  paid,
  startCheckout,
  tell,
} from "./checkout.ts";
import { type Others, playOthers } from "./others.ts";

let world: World;
let checkout: Checkout;
let others: Others;

beforeAll(async () => {
  world = await openCheckoutWorld();
  others = await playOthers(world);
  checkout = await startCheckout(world);
});
afterAll(async () => {
  await checkout.stop();
  await others.stop();
  await world.close();
});

const show = (reference: string) => call(checkout, "GET", `/checkout/${reference}`);
const statusOf = async (reference: string) => (await show(reference)).body.status;
const readsOf = (reference: string) => others.reads.filter(({ references }) => references.includes(reference)).length;
const rowOf = async (reference: string) =>
  (await world.owner.query("select * from session_views where reference = $1", [reference])).rows[0];

test("a session that an event told is shown without asking payments", async () => {
  const session = aSession();
  await tell(world, session);
  expect(await statusOf(session.reference)).toBe("pending");
  expect(readsOf(session.reference)).toBe(0);
});

test("an older version never wins, neither alone, nor repeated, nor in one batch with a newer one", async () => {
  const session = aSession();
  const newer = paid(session);
  await tell(world, newer);
  const last = aSession();
  await world.others.publish(sessionChanged, [session, newer, session, { ...newer, version: 1, status: "expired" }]);
  await tell(world, last);
  expect(await statusOf(session.reference)).toBe("paid");
  expect((await rowOf(session.reference)).version).toBe(2n);

  const other = aSession();
  await world.others.publish(sessionChanged, [paid(other), other]);
  await until("the newer one is shown", async () => (await statusOf(other.reference)) === "paid");
});

test("what payments answers never undoes what an event has told since", async () => {
  const session = aSession();
  await tell(world, paid(session));
  others.know(session);
  await age(world, 1, session);
  await show(session.reference);
  await until("read again", () => readsOf(session.reference) === 1);
  const row = await until("confirmed", async () => {
    const row = await rowOf(session.reference);
    return Date.parse(row.refreshed_at) > Date.now() - 20_000 && row;
  });
  expect([row.version, row.snapshot.status]).toEqual([2n, "paid"]);
});

test("a lost event: an old copy is answered at once, read again, and the next who asks gets the truth", async () => {
  const session = aSession();
  await tell(world, session);
  others.know(paid(session));
  await age(world, 1, session);
  expect(await statusOf(session.reference)).toBe("pending");
  await until("the truth", async () => (await statusOf(session.reference)) === "paid");
  expect(readsOf(session.reference)).toBe(1);
});

test("a copy that is unchanged is confirmed, and not read again for another 30 seconds", async () => {
  const session = aSession();
  await tell(world, session);
  others.know(session);
  await age(world, 1, session);
  await show(session.reference);
  await until("read again", () => readsOf(session.reference) === 1);
  await until("confirmed", async () => Date.parse((await rowOf(session.reference)).refreshed_at) > Date.now() - 20_000);
  const later = aSession();
  others.know(later);
  await show(session.reference);
  await show(later.reference);
  expect([readsOf(session.reference), readsOf(later.reference)]).toEqual([1, 1]);
});

test("a session whose watch window closed before payments last spoke of it is read again, once and for ever", async () => {
  const old = { expiresAt: inMinutes(-300), watchUntil: inMinutes(-180) };
  const [topUp, final] = [aSession({ ...old, status: "underpaid" }), aSession({ ...old, status: "paid" })];
  await tell(world, topUp, final);
  others.know({ ...topUp, version: 2, status: "paid" }, final);
  // Told while its window was open, and an hour after it had closed.
  await age(world, 200, topUp);
  await age(world, 100, final);
  expect(await statusOf(topUp.reference)).toBe("underpaid");
  await show(final.reference);
  await until("the truth", async () => (await statusOf(topUp.reference)) === "paid");
  expect(readsOf(final.reference)).toBe(0);
});

test("with the read model wiped, every session is read from payments again as it is asked for", async () => {
  const sessions = Array.from({ length: 20 }, () => aSession());
  await tell(world, ...sessions);
  others.know(...sessions.map(paid));
  await world.owner.query("truncate session_views");
  const shown = await Promise.all(sessions.map(({ reference }) => statusOf(reference)));
  expect(new Set(shown)).toEqual(new Set(["paid"]));
  const { rowCount } = await world.owner.query("select from session_views where version = 2 and reference = any($1)", [
    sessions.map(({ reference }) => reference),
  ]);
  expect(rowCount).toBe(20);
});

test("a reference nobody knows is asked for once, remembered briefly, and asked for again later", async () => {
  const reference = aReference();
  const impatient = await startCheckout(world, { refresh: { everyMs: 20, missesKeptMs: 300 } });
  const missing = () => call(impatient, "GET", `/checkout/${reference}`);
  const answers = await Promise.all(Array.from({ length: 20 }, missing));
  for (const { status, body } of answers) expect([status, body.code]).toEqual([404, "not_found"]);
  expect(readsOf(reference)).toBe(1);
  others.know(aSession({ reference }));
  await until("known", async () => (await missing()).status === 200);
  expect(readsOf(reference)).toBe(2);
  await impatient.stop();
});

test("what cannot be a reference is refused without reading anything, and like one that is unknown", async () => {
  const unknown = await show(aReference());
  const malformed = ["pay_short", "x", "pay_0OIl567890123456789012", `${aReference()}x`, "%zz", "a%2Fb", "__proto__"];
  const before = others.reads.length;
  for (const reference of malformed) {
    const refused = await show(reference);
    expect([refused.status, { ...refused.body, request_id: "" }]).toEqual([404, { ...unknown.body, request_id: "" }]);
    expect(refused.headers.get("ratelimit")).toBe(null);
  }
  expect(others.reads.length).toBe(before);
});

test("the service can only add and renew copies, and change no table", async () => {
  await expect(world.pool.query("delete from session_views")).rejects.toThrow("permission denied");
  await expect(world.pool.query("truncate rate_limit_hits")).rejects.toThrow("permission denied");
});
