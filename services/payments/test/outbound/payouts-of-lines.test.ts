import { answer, serveRequests } from "@collect/bus";
import { findPayoutOfLine, getStatementLine, Problem } from "@collect/contracts";
import { startComponents } from "@collect/testing";
import { afterAll, beforeEach, expect, test } from "vitest";
import { aFundedMerchant, anOrder, LIVE_ACCOUNT, refusalOf, send } from "./transfers-world.ts";
import { useUnanswered } from "./unanswered-world.ts";

/** A payout that the bank executed late is an outgoing line in no match: nothing else is booked with it. */

const { world, ledger, start, anUnanswered, aboutIt } = await useUnanswered();
const { others, owner } = world;

type Line = { amount: bigint; session_id: string | null; booked_on: string; narration: string; references: string[] };
const lines = new Map<string, Line>();
const played = answer(getStatementLine, async ({ line }) => {
  const known = lines.get(line);
  if (!known) throw new Problem("not_found", "There is no such line.");
  return { ...known, account: "1234567890", bank: "729", is_matched: false, paid_at: null, offer: null };
});
const served = serveRequests(others, { service: "statements", log: world.log, requests: [played] });
afterAll(await startComponents([served]));
beforeEach(() => start());

const DAY_MS = 86_400_000;
/** In Lagos. */
const dayAgo = (days: number) => new Date(Date.now() + 3_600_000 - days * DAY_MS).toISOString().slice(0, 10);

async function payoutOf(given: Partial<Line>) {
  const line = String(lines.size + 1);
  lines.set(line, {
    ...{ amount: -250_073n, session_id: null, booked_on: dayAgo(0), narration: "NIP TRF", references: [], ...given },
  });
  return (await others.request(findPayoutOfLine, { line })).payout;
}

const set = (reference: string, columns: string) =>
  owner.query(`update transfers set next_at = null, follow_up_at = null, ${columns} where reference = $1`, [reference]);
const [FAILED, PAID] = ["'failed'", "'success'"].map(
  (end) => `step = 'told', status = ${end}, verdict = ${end}, told = array[${end}], completed_at = now()`,
) as [string, string];
/** Each test has an account of its own: what failed to one is looked for by every line that names it. */
const moved = async (reference: string) => {
  const account = String(Math.floor(Math.random() * 1e10)).padStart(10, "0");
  await set(reference, `account_number = '${account}'`);
  return { account, narration: `TRF TO ${account}/GTB` };
};

test("a payout is found by our id in the line, however it stands and whatever the amount, and no other one", async () => {
  const payout = await anUnanswered();
  const { reference } = payout;
  const found = { ...aboutIt(payout), account_number: LIVE_ACCOUNT.account_number, named_by: "reference", others: [] };
  const narration = `NIP/${reference}/RENT`;
  expect(await payoutOf({ narration })).toEqual({ ...found, status: "pending" });
  for (const [columns, status] of [
    [FAILED, "failed"],
    [PAID, "success"],
  ] as const) {
    await set(reference, columns);
    expect(await payoutOf({ references: [reference], amount: -1n })).toEqual({ ...found, status });
  }
  expect(await payoutOf({ narration: `${reference}x` })).toBeNull();
  const { transfer } = await send(world, aFundedMerchant(ledger, "test"), anOrder());
  expect(await payoutOf({ narration: transfer.reference })).toBeNull();
});

test("a payout is found by the session under which the bank paid it, as the line has it", async () => {
  const payout = await anUnanswered();
  const [session, other] = ["000023261122093000000000000011", "000023261122093000000000000012"];
  await set(payout.reference, `${PAID}, session_id = '${session}'`);
  const found = { ...aboutIt(payout), named_by: "session", status: "success" };
  expect(await payoutOf({ session_id: session })).toMatchObject(found);
  expect(await payoutOf({ narration: `NIP ${session}` })).toMatchObject(found);
  expect(await payoutOf({ session_id: other, narration: `NIP ${session}` })).toBeNull();
});

test("an unanswered payout is found by its amount and account, from the day on which it was sent, and by neither alone", async () => {
  const payout = await anUnanswered();
  const { account, narration } = await moved(payout.reference);
  const found = { ...aboutIt(payout), account_number: account, named_by: "beneficiary", status: "pending", others: [] };
  expect(await payoutOf({ narration })).toEqual(found);
  expect(await payoutOf({ references: [account] })).toEqual(found);
  expect(await payoutOf({ narration, amount: -250_072n })).toBeNull();
  expect(await payoutOf({ narration, booked_on: dayAgo(2) })).toBeNull();
  expect(await payoutOf({ narration: `1${narration}1` })).toEqual(found);
  expect(await payoutOf({ narration: `TRF TO 1${account}` })).toBeNull();
  expect(await payoutOf({})).toBeNull();
});

test("a payout that failed is found by its amount and account for a week, and never one that succeeded or was not sent", async () => {
  const payout = await anUnanswered();
  const { narration } = await moved(payout.reference);
  await set(payout.reference, `${FAILED}, sent_at = now() - interval '20 days'`);
  const isFound = async (booked_on = dayAgo(0)) => (await payoutOf({ narration, booked_on }))?.status === "failed";
  expect(await isFound()).toBe(true);
  await set(payout.reference, "completed_at = now() - interval '6 days'");
  expect(await isFound()).toBe(true);
  await set(payout.reference, "completed_at = now() - interval '9 days'");
  expect([await isFound(), await isFound(dayAgo(3))]).toEqual([false, true]);
  await set(payout.reference, "completed_at = now(), approval = 'expired', sent_at = null");
  expect(await isFound()).toBe(false);
  await set(payout.reference, `${PAID}, approval = null, sent_at = now()`);
  expect(await payoutOf({ narration })).toBeNull();
});

test("a payout that failed and was ordered again is found with the one that followed it: the bank may have executed either", async () => {
  const [first, retried] = [await anUnanswered(), await anUnanswered()];
  const { account, narration } = await moved(first.reference);
  await set(first.reference, FAILED);
  await set(retried.reference, `account_number = '${account}'`);
  expect(await payoutOf({ narration })).toMatchObject({ reference: retried.reference, others: [first.reference] });
  expect(await payoutOf({ narration, references: [first.reference] })).toMatchObject({
    ...{ reference: first.reference, others: [] },
  });
});

test("an incoming line is no payout, and of a line that is not there nothing is said", async () => {
  const { reference } = await anUnanswered();
  expect(await payoutOf({ references: [reference], amount: 250_073n })).toBeNull();
  expect(await refusalOf(others.request(findPayoutOfLine, { line: "999999" }))).toBe("not_found");
});
