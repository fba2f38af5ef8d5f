import type { MerchantScope } from "@collect/contracts";
import {
  type Actor,
  approveTransfer,
  createTransfer,
  declineTransfer,
  getPayoutState,
  showTransfer,
} from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { HttpBank } from "./http-bank.ts";
import {
  aFundedMerchant,
  anOrder,
  LIVE_ACCOUNT,
  partnerAt,
  refusalOf,
  rowsOf,
  startPayments,
  untilStatus,
  untilStep,
} from "./transfers-world.ts";
import { startOwnBank, useNeighbors } from "./use-transfers.ts";

const { world, ledger, webhooks } = await useNeighbors();
const ADA: Actor = { kind: "member", user_id: "usr_ada", email: "ada@example.com" };
const BOLA: Actor = { kind: "member", user_id: "usr_bola", email: "bola@example.com" };
const KEY: Actor = { kind: "key", key: "sk_live_…3xYz" };
const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
let bank: HttpBank;

beforeEach(async () => {
  bank = await startOwnBank(world);
  ledger.decides = { approval_required: true };
});
afterAll(() => {
  ledger.decides = {};
});

async function start(approvalMs = 600_000): Promise<void> {
  const { stop } = await startPayments(world, { partner: partnerAt(bank.url), transferTimes: { approvalMs } });
  onTestFinished(stop);
}

type Order = { merchant: MerchantScope; reference: string };

/** A transfer that waits for approval. */
async function anOrderBy(actor: Actor): Promise<Order> {
  const merchant = aFundedMerchant(ledger, "live");
  const order = { merchant: { ...merchant, name: "Ada Stores" }, ...anOrder(LIVE_ACCOUNT) };
  const { transfer, created } = await world.others.request(createTransfer, order, { actor });
  expect({ created, status: transfer.status }).toEqual({ created: true, status: "pending" });
  return { merchant, reference: transfer.reference };
}
const approve = (order: Order, actor: Actor, approving_since = hoursAgo(25)) =>
  world.others.request(approveTransfer, { ...order, approving_since }, { actor });
const decline = (order: Order, actor: Actor) => world.others.request(declineTransfer, order, { actor });
const shown = (order: Order) => world.others.request(showTransfer, order);
const awaiting = async ({ merchant }: Order) =>
  (await world.others.request(getPayoutState, { merchant })).awaiting_approval;

describe("a transfer above the threshold", () => {
  test("is reserved, waits, and is sent once after a second person approved it", async () => {
    await start();
    const order = await anOrderBy(ADA);
    expect(ledger.settled(order.merchant)).toBe(99_749_927n);
    expect(await shown(order)).toMatchObject({ ordered_by: ADA, approval: { state: "required", by: null } });
    expect(await awaiting(order)).toBe(1);
    // Another order of this merchant without a threshold goes through meanwhile: the worker is running.
    ledger.decides = {};
    const other = { merchant: { ...order.merchant, name: "Ada Stores" }, ...anOrder(LIVE_ACCOUNT) };
    const { transfer } = await world.others.request(createTransfer, other, { actor: ADA });
    await untilStatus(world, order.merchant, transfer.reference, "success");
    expect(bank.sent).not.toContain(order.reference);

    await Promise.all([approve(order, BOLA), approve(order, BOLA)]);
    await untilStatus(world, order.merchant, order.reference, "success");
    expect(bank.sent.filter((id) => id === order.reference)).toHaveLength(1);
    expect(await shown(order)).toMatchObject({ approval: { state: "approved", by: BOLA } });
    expect(await awaiting(order)).toBe(0);
    expect((await approve(order, BOLA)).transfer.reference).toBe(order.reference);
  });

  test("cannot be approved by the person who ordered it, nor by a key, an operator or a service", async () => {
    await start();
    const order = await anOrderBy(ADA);
    const others: Actor[] = [KEY, { kind: "operator", name: "ada" }, { kind: "system", service: "payments" }];
    for (const actor of [ADA, ...others]) expect(await refusalOf(approve(order, actor))).toBe("second_person_required");
    expect(await awaiting(order)).toBe(1);
    expect(bank.sent).toEqual([]);
    await approve(order, BOLA);
    await untilStatus(world, order.merchant, order.reference, "success");
  });

  test("that a key ordered is approved by another person than the one who made the key", async () => {
    await start();
    const order = await anOrderBy({ ...KEY, made_by: "usr_ada" });
    expect(await refusalOf(approve(order, ADA))).toBe("second_person_required");
    expect(bank.sent).toEqual([]);
    await approve(order, BOLA);
    await untilStatus(world, order.merchant, order.reference, "success");
    // Of an older key it is not known who made it.
    const older = await anOrderBy(KEY);
    await approve(older, ADA);
    await untilStatus(world, older.merchant, older.reference, "success");
  });

  test("is not approved by a person who was given the role less than a day ago, and says when it can be", async () => {
    await start();
    const order = await anOrderBy(ADA);
    const since = new Date(Date.now() - 23 * HOUR_MS).toISOString();
    const refused = await approve(order, BOLA, since).catch((error) => error);
    expect(refused).toMatchObject({ code: "approver_too_new" });
    expect(refused.detail).toMatch(
      /^You can approve payouts from \d{1,2} \w+ \d{4} at \d\d:\d\d \(Lagos time\), a day after/,
    );
    expect(await awaiting(order)).toBe(1);
    await approve(order, BOLA, hoursAgo(24));
    await untilStatus(world, order.merchant, order.reference, "success");
  });

  test("of test money can be approved at once", async () => {
    await start();
    const merchant = aFundedMerchant(ledger, "test");
    const order = { merchant: { ...merchant, name: "Ada Stores" }, ...anOrder() };
    const { transfer } = await world.others.request(createTransfer, order, { actor: ADA });
    await approve({ merchant, reference: transfer.reference }, BOLA, hoursAgo(0));
    await untilStatus(world, merchant, transfer.reference, "success");
  });

  test("cannot be written as approved by its orderer, by the maker of its key, or by a newcomer, whatever statement tries it", async () => {
    await start();
    const write = (order: Order, by: Actor, since: string) =>
      world.pool.query(
        "update transfers set approval = 'approved', approval_by = $2, approval_at = clock_timestamp(), approver_since = $3 where reference = $1",
        [order.reference, by, since],
      );
    const [own, ofKey] = [await anOrderBy(ADA), await anOrderBy({ ...KEY, made_by: "usr_ada" })];
    for (const order of [own, ofKey]) {
      await expect(write(order, ADA, hoursAgo(25))).rejects.toThrow("approved_by_another_person");
      await expect(write(order, BOLA, hoursAgo(23))).rejects.toThrow("approved_by_no_newcomer");
    }
    expect(bank.sent).toEqual([]);
  });

  test("fails when it is declined, its money comes back, and the merchant is notified; the bank is never called", async () => {
    await start();
    const order = await anOrderBy(ADA);
    const { transfer } = await decline(order, ADA);
    expect(transfer.status).toBe("pending");
    const failed = await untilStatus(world, order.merchant, order.reference, "failed");
    expect(failed).toMatchObject({ failure_code: "approval_declined" });
    await untilStep(world, order.merchant, "told");
    expect(ledger.settled(order.merchant)).toBe(100_000_000n);
    expect(webhooks.about(order.reference).at(-1)).toMatchObject({
      status: "failed",
      failureCode: "approval_declined",
    });
    expect(bank.sent).toEqual([]);
    expect(await refusalOf(approve(order, BOLA))).toBe("conflict");
  });

  test("is decided once when it is approved and declined at the same moment", async () => {
    await start();
    const orders = await Promise.all(Array.from({ length: 10 }, () => anOrderBy(ADA)));
    for (const order of orders) {
      const results = await Promise.allSettled([approve(order, BOLA), decline(order, BOLA)]);
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const isApproved = results[0].status === "fulfilled";
      await untilStatus(world, order.merchant, order.reference, isApproved ? "success" : "failed");
      expect(bank.sent.includes(order.reference)).toBe(isApproved);
    }
  });

  test("fails when nobody approved it in time", async () => {
    await start(50);
    const order = await anOrderBy(ADA);
    const failed = await untilStatus(world, order.merchant, order.reference, "failed");
    expect(failed).toMatchObject({ failure_code: "approval_expired" });
    expect(ledger.settled(order.merchant)).toBe(100_000_000n);
    expect(bank.sent).toEqual([]);
  });

  test("of another merchant or mode cannot be approved, nor one that needs no approval", async () => {
    await start();
    const order = await anOrderBy(ADA);
    const foreign = { ...order, merchant: aFundedMerchant(ledger, "live") };
    expect(await refusalOf(approve(foreign, BOLA))).toBe("not_found");
    expect(await refusalOf(approve({ ...order, merchant: { ...order.merchant, mode: "test" } }, BOLA))).toBe(
      "not_found",
    );
    ledger.decides = {};
    const free = await anOrderBy(ADA);
    await untilStatus(world, free.merchant, free.reference, "success");
    expect(await refusalOf(approve(free, BOLA))).toBe("conflict");
    expect(await refusalOf(decline(free, BOLA))).toBe("conflict");
  });

  test("is reserved and waits even if the process died between the ledger's decision and its record", async () => {
    await start();
    const order = await anOrderBy(ADA);
    await world.owner.query(
      "update transfers set step = 'created', approval = null, next_at = now() where reference = $1",
      [order.reference],
    );
    await until("the ledger was asked again", async () => {
      const [row] = await rowsOf(world, order.merchant);
      return row?.step === "reserved" && row.approval === "required";
    });
    expect(bank.sent).toEqual([]);
  });

  test("cannot be written as sent while it waits, whatever statement tries it", async () => {
    await start();
    const order = await anOrderBy(ADA);
    const send = world.pool.query(
      "update transfers set step = 'sending', sent_at = clock_timestamp() where reference = $1",
      [order.reference],
    );
    await expect(send).rejects.toThrow("approved_before_it_is_sent");
  });
});

test.each(["transfer_limit", "day_limit"] as const)(
  "an order above a limit (%s) is refused by name, nothing is reserved, and its reference stays free",
  async (refusal) => {
    await start();
    ledger.decides = { refusal };
    const merchant = aFundedMerchant(ledger, "live");
    const order = { merchant: { ...merchant, name: "Ada Stores" }, ...anOrder(LIVE_ACCOUNT) };
    expect(await refusalOf(world.others.request(createTransfer, order))).toBe("payout_limit_exceeded");
    expect(ledger.settled(merchant)).toBe(100_000_000n);
    ledger.decides = {};
    const { transfer } = await world.others.request(createTransfer, order);
    await untilStatus(world, merchant, transfer.reference, "success");
  },
);
