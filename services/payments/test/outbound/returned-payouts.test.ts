import { findPayout } from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { aLine, type Payout, useReturned } from "./returned-world.ts";
import {
  aFundedMerchant,
  anOrder,
  LIVE_ACCOUNT,
  refusalOf,
  rowsOf,
  send,
  show,
  untilStatus,
} from "./transfers-world.ts";
import { reason } from "./unanswered-world.ts";

const { world, ledger, start, anUnanswered, endAs, bank, statements, ...returned } = await useReturned();
const { aPaid, giveBack, aDead, expectReturned, expectPaid } = returned;
const { owner } = world;

test("a payout that the bank returned is given back once, however often and by how many that is said", async () => {
  await start();
  const [payout, line] = [await aPaid(), aLine()];
  const expected = { reference: payout.reference, status: "reversed" };
  expect(await Promise.all([giveBack(payout, line), giveBack(payout, line)])).toEqual([expected, expected]);
  await expectReturned(payout);
  expect(await giveBack(payout, line, "for another reason")).toEqual(expected);
  await expectReturned(payout);
  expect(statements.claims.get(line)).toBe(payout.reference);
  expect(await show(world, payout.merchant, payout.reference)).toMatchObject({
    failure_code: "returned",
    failure_reason: "The bank returned the transfer.",
  });
  expect(await rowsOf(world, payout.merchant)).toMatchObject([{ returned: { line, reason }, follow_up_at: null }]);
});

test("a live payout is found by its id, with its merchant, before and after it was returned, and none in test mode or under another id", async () => {
  await start();
  const payout = await aPaid();
  const { merchant, reference } = payout;
  const find = async (sought: string) => (await world.others.request(findPayout, { reference: sought })).payout;
  const found = { merchant_id: merchant.id, reference, ...LIVE_ACCOUNT, partner: "729" };
  expect(await find(reference)).toMatchObject({ ...found, status: "success" });
  await giveBack(payout, aLine());
  await expectReturned(payout);
  expect(await find(reference)).toMatchObject({ ...found, status: "reversed" });
  const test = await send(world, aFundedMerchant(ledger, "test"), anOrder());
  for (const other of [test.transfer.reference, "trf_none"]) expect(await find(other)).toBeNull();
});

test("a second line returns nothing more, and is free again; so it is at once", async () => {
  await start();
  const [payout, line, other] = [await aPaid(), aLine(), aLine()];
  await giveBack(payout, line);
  expect(await refusalOf(giveBack(payout, other))).toBe("conflict");
  expect(statements.claims.has(other)).toBe(false);
  await expectReturned(payout);
  const next = await aPaid();
  const lines = [aLine(), aLine(), aLine()];
  const acts = await Promise.allSettled(lines.map((each) => giveBack(next, each)));
  expect(acts.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected", "rejected"]);
  await expectReturned(next);
  const kept = lines.filter((each) => statements.claims.has(each));
  expect(kept).toEqual([(await rowsOf(world, next.merchant))[0]?.returned].map((row) => Object(row).line));
});

test("a line returns one payout, also if statements has lost for which", async () => {
  await start();
  const [first, second, line] = [await aPaid(), await aPaid(), aLine()];
  await giveBack(first, line);
  expect(await refusalOf(giveBack(second, line))).toBe("conflict");
  statements.claims.delete(line);
  expect(await refusalOf(giveBack(second, line))).toBe("conflict");
  expect(statements.claims.has(line)).toBe(false);
  await expectPaid(second);
  await expectReturned(first);
});

test("what is not there, not theirs, not paid, or has no line returns nothing", async () => {
  await start();
  const payout = await aPaid();
  const other = aFundedMerchant(ledger, "live");
  expect(await refusalOf(giveBack({ ...payout, merchant: other }, aLine()))).toBe("not_found");
  expect(await refusalOf(giveBack({ ...payout, reference: "trf_none" }, aLine()))).toBe("not_found");
  expect(await refusalOf(giveBack(payout, "1", " "))).toBe("validation_failed");
  statements.refuses = true;
  expect(await refusalOf(giveBack(payout, aLine()))).toBe("conflict");
  statements.refuses = false;
  await expectPaid(payout);
  const pending = await anUnanswered();
  expect(await refusalOf(giveBack(pending, aLine()))).toBe("conflict");
  await endAs(pending, null);
  await untilStatus(world, pending.merchant, pending.reference, "failed");
  expect(await refusalOf(giveBack(pending, aLine()))).toBe("conflict");
  const merchant = aFundedMerchant(ledger, "test");
  const { reference } = (await send(world, merchant, anOrder())).transfer;
  expect(await refusalOf(giveBack({ merchant, reference }, aLine()))).toBe("not_found");
});

const saysReversed = ({ reference }: Payout) => {
  bank().payouts.set(reference, { id: reference, ...LIVE_ACCOUNT, amount: 2500.73, status: "reversed" });
  return owner.query("update transfers set follow_up_at = now() where reference = $1", [reference]);
};

test("the bank's own report of the reversal counts once beside it: before, after and at the same moment", async () => {
  await start();
  const [before, after] = [await aPaid(), await aPaid()];
  const [free, line] = [aLine(), aLine()];
  await saysReversed(before);
  await expectReturned(before);
  expect(await refusalOf(giveBack(before, free))).toBe("conflict");
  expect(statements.claims.has(free)).toBe(false);

  await giveBack(after, line);
  await saysReversed(after);
  await expectReturned(after);
  await until("it was asked about", async () => (await rowsOf(world, after.merchant))[0]?.follow_up_at === null);
  await expectReturned(after);

  for (let round = 0; round < 5; round++) {
    const [payout, at] = [await aPaid(), aLine()];
    const [act] = await Promise.allSettled([giveBack(payout, at), saysReversed(payout)]);
    await expectReturned(payout);
    expect(statements.claims.has(at)).toBe(act?.status === "fulfilled");
  }
  // It comes while statements claims the line.
  const [payout, at] = [await aPaid(), aLine()];
  statements.onClaim = async () => {
    await saysReversed(payout);
    await untilStatus(world, payout.merchant, payout.reference, "reversed");
  };
  expect(await refusalOf(giveBack(payout, at))).toBe("conflict");
  expect(statements.claims.has(at)).toBe(false);
  await expectReturned(payout);
});

test("a process that dies between the two services' commits, or after both, has the payout returned once when the act is repeated", async () => {
  for (const failpoint of ["fenced", "claimed", "resolved"]) {
    const { payout, line } = await aDead(failpoint);
    const verdict = failpoint === "resolved" ? "reversed" : "success";
    expect(await rowsOf(world, payout.merchant)).toMatchObject([{ status: "success", verdict }]);
    const end = await start();
    expect(await giveBack(payout, line)).toMatchObject({ status: "reversed" });
    await expectReturned(payout);
    await end();
    expect(statements.claims.get(line)).toBe(payout.reference);
  }
});

test.each([
  ["and webhooks says nothing again", "{success}"],
  ["and webhooks has said again that both events are recorded", "{success,reversed}"],
])(
  "a database that was restored to before the act, %s, returns the payout to the same end when it is repeated",
  async (_, told) => {
    await start();
    const [payout, line] = [await aPaid(), aLine()];
    await giveBack(payout, line);
    await expectReturned(payout);
    await owner.query(
      `update transfers set status = 'success', verdict = 'success', returned = null, told = $2, failure_code = null,
     failure_reason = null, reversed_at = null where reference = $1`,
      [payout.reference, told],
    );
    expect(await giveBack(payout, line)).toMatchObject({ status: "reversed" });
    await expectReturned(payout);
  },
);
