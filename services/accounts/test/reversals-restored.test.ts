import { answer, durableName, ensureStreams, pages, serveRequests, streamName } from "@collect/bus";
import {
  allocateTransfer,
  type collectionPosted,
  collectionRecorded,
  type Fact,
  getRecovery,
  instantOf,
  listAccountCopies,
  listErasureCopies,
  listIntakes,
  listLineOffers,
  listReversals,
  readIntakes,
  startRecovery,
  suspensePosted,
  suspenseReversed,
  transferReceived,
  transferReversed,
  unallocatedReversed,
} from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { suspendedBefore } from "../src/store/recovery.ts";
import { restoreReversals } from "../src/store/reversal-recovery.ts";
import { rowOf, world } from "./intake-world.ts";
import {
  AT,
  aCredit,
  aReversal,
  complete,
  drive,
  publishedOf,
  quarantineOf,
  recordedOf,
  reversalOf,
  statusOf,
  untilPublished,
  useReversals,
} from "./reversing.ts";
import { aReport } from "./world.ts";

/** Accounts restored to a time before what a bank took back; the other services are played here. */

await useReversals();

type Reversed = Fact<typeof transferReversed>;
/** What payments has stored. */
const stored: Reversed[] = [];
const intakes: Fact<typeof collectionPosted>[] = [];
const none = { rows: [], next: null };
const requests = [
  answer(listAccountCopies, async () => none),
  answer(listIntakes, async () => ({ intakes: [], next: null })),
  answer(readIntakes, async ({ intake_ids }) => ({
    intakes: intakes.filter(({ intakeId }) => intake_ids.includes(intakeId)),
  })),
  answer(listReversals, async () => ({ ...none, rows: stored })),
  answer(listErasureCopies, async () => none),
];
await serveRequests(world.others, { service: "payments", log: world.log, requests }).start();
const offers = [answer(listLineOffers, async () => none)];
await serveRequests(world.others, { service: "statements", log: world.log, requests: offers }).start();

const recovery = () => world.others.request(getRecovery.accounts, {});
const untilCaughtUp = () => until("accounts has caught up", async () => (await recovery()).is_current);
/** As a restore to a time before the reversal leaves the tables. */
const lose = (id: string, credit: string) =>
  world.owner.query(`alter table inbound_reversals disable trigger user;
    delete from inbound_reversals where bank_transfer_id = '${id}';
    update inbound_transfers set reversed = 0 where bank_transfer_id = '${credit}';
    alter table inbound_reversals enable trigger user`);

test("after a restore those in flight are waited for, so that what the bank takes back next is another part of the credit", async () => {
  const { merchant, transfer, intakeId } = await aCredit({ amount: 1_000 });
  const [stream, durable] = [streamName("accounts", "live"), durableName(transferReversed, "ledger", "live")];
  const { manager } = world.others;
  await ensureStreams(manager, [transferReversed]);
  const [first, second] = [aReversal(transfer, { amount: 300 }), aReversal(transfer, { amount: 250 })];
  expect(await statusOf(first)).toBe("accepted");
  const inFlight = await untilPublished((await reversalOf(first)).reversal_id);
  await lose(first.id, transfer.id);
  await world.others.request(startRecovery.accounts, { restored_to: instantOf(new Date(Date.now() - 60_000)) });
  await until("it waits for the ledger", async () => (await recovery()).recovery?.step?.includes("have consumed"));
  expect(await statusOf(second)).toBe("accepted");
  expect(await reversalOf(second)).toMatchObject({ admitted_at: null });
  // Nor is anything allocated, of which more may be gone.
  const { id, mode } = merchant;
  await expect(
    world.others.request(allocateTransfer, { intake_id: intakeId, merchant: { id, mode } }),
  ).rejects.toMatchObject({ code: "service_unavailable" });
  // It may have lost the credit of a report that names no other.
  const early = aReport(transfer.account_number);
  const own = aReversal(early, { id: early.id, reverses: undefined });
  expect(await statusOf(own)).toBe("accepted");
  expect(await quarantineOf(own)).toBeUndefined();
  // The ledger has booked it, and payments stored it.
  stored.push(inFlight);
  await manager.consumers.delete(stream, durable);
  await untilCaughtUp();
  expect(await reversalOf(first)).toMatchObject({ reversed_before: 0n, merchant_id: id });
  await drive();
  await until("admitted", async () => (await reversalOf(second)).admitted_at !== null);
  expect(await reversalOf(second)).toMatchObject({ reversed_before: 30_000n });
  expect(await rowOf(transfer.id)).toMatchObject({ reversed: 55_000n });
  expect(await statusOf(early)).toBe("accepted");
  const recorded = recordedOf((await rowOf(early.id)).intake_id, { id, mode });
  await world.others.publish(collectionRecorded, [recorded]);
  await until("complete", async () => (await rowOf(early.id)).completed_at !== null);
  await drive();
  await until("admitted", async () => (await reversalOf(own)).admitted_at !== null);
});

const posted = { mode: "live" as const, transactionId: "1", postedAt: AT };
/** ₦1,000 in suspense, of which the bank took back ₦400; both are complete. */
async function aPartOfSuspense() {
  const transfer = aReport("0123456789", { amount: 1_000 });
  expect(await statusOf(transfer)).toBe("unallocated");
  const { intake_id: creditId } = await rowOf(transfer.id);
  await world.others.publish(suspensePosted, [{ ...posted, intakeId: creditId, amount: 100_000n }]);
  await until("complete", async () => (await rowOf(transfer.id)).completed_at !== null);
  const back = aReversal(transfer, { amount: 400 });
  expect(await statusOf(back)).toBe("accepted");
  const { reversal_id: intakeId, reversed_at: reversedAt, received_at: receivedAt } = await reversalOf(back);
  await world.others.publish(suspenseReversed, [{ ...posted, intakeId, amount: 40_000n }]);
  await until("complete", async () => (await reversalOf(back)).completed_at !== null);
  return { transfer, back, intakeId, creditId, reversedAt, receivedAt };
}

test("money that was in suspense in the backup and allocated since has its owner again, and so has what was taken out of it before", async () => {
  const { merchant } = await aCredit();
  const [listed, late, still] = [await aPartOfSuspense(), await aPartOfSuspense(), await aPartOfSuspense()];
  const allocated = async ({ transfer, creditId }: typeof listed) => {
    const { paid_at: paidAt, received_at: receivedAt } = await rowOf(transfer.id);
    const source = { bank: "729", bankTransferId: transfer.id, narration: null, allocated: true };
    const payer = { name: "Ada Obi", accountNumber: null, bankName: null };
    intakes.push({
      ...{ intakeId: creditId, merchant: { id: merchant.id, mode: "live" }, accountNumber: "0123456789", source },
      ...{ amount: 100_000n, currency: "NGN", fee: 0n, net: 100_000n, feeBasisPoints: 0, transactionId: creditId },
      ...{ customer: { reference: "cust_42", name: "Ada Obi" }, payer, paidAt, receivedAt, postedAt: AT },
    });
  };
  await allocated(listed);
  // The ledger has read them, and the allocations.
  for (const event of [transferReceived, unallocatedReversed])
    await world.others.manager.consumers.delete(streamName("accounts", "live"), durableName(event, "ledger", "live"));
  // It goes back six minutes before the time that it is given.
  const given = { restored_to: instantOf(new Date(Date.now() + 6 * 60_000)) };
  await world.others.request(startRecovery.accounts, given);
  await untilCaughtUp();
  const owned = { merchant_id: merchant.id, allocated_at: expect.any(String), completed_at: null };
  expect(await rowOf(listed.transfer.id)).toMatchObject({ ...owned, customer_reference: "cust_42", reversed: 40_000n });
  expect(await reversalOf(listed.back)).toMatchObject(owned);
  // One whose allocation was in flight is found when its event is recorded.
  expect(await reversalOf(late.back)).toMatchObject({ merchant_id: null });
  await allocated(late);
  for (const { transfer, back, intakeId } of [listed, late]) {
    await complete(transfer, { id: merchant.id, mode: "live" });
    await drive();
    expect(await untilPublished(intakeId)).toMatchObject({ fundedBy: "suspense", merchant: { id: merchant.id } });
    expect(await reversalOf(back)).toMatchObject(owned);
    // The merchant, and not suspense, pays for what the bank takes back next.
    const next = aReversal(transfer, { amount: 600 });
    expect(await statusOf(next)).toBe("accepted");
    const { reversal_id } = await reversalOf(next);
    expect(await untilPublished(reversal_id)).toMatchObject({ fundedBy: "bank", reversedBefore: 40_000n });
  }
  // What was not allocated stays in suspense.
  expect(await rowOf(still.transfer.id)).toMatchObject({ merchant_id: null, completed_at: expect.any(String) });
  expect(await reversalOf(still.back)).toMatchObject({ merchant_id: null, completed_at: expect.any(String) });
});

test("what is in suspense is read a page at a time, and what came since is not", async () => {
  const [first, second, since] = [await aPartOfSuspense(), await aPartOfSuspense(), await aPartOfSuspense()];
  const before = (await rowOf(since.transfer.id)).received_at;
  const found: string[] = [];
  for await (const page of pages((after) => suspendedBefore(world.pools.workers, { before, after, limit: 1 })))
    found.push(...page);
  expect(found.slice(-2)).toEqual([first.creditId, second.creditId]);
});

test("a reversal that was complete in suspense in the backup, and whose credit was allocated since, is driven again", async () => {
  const { merchant } = await aCredit();
  const { back, intakeId, creditId, reversedAt, receivedAt } = await aPartOfSuspense();
  const source = { bank: "729", bankTransferId: back.id, accountNumber: "0123456789", allocated: true };
  const fact: Reversed = {
    ...{ intakeId, creditId, merchant: { id: merchant.id, mode: "live" }, amount: 40_000n, reversedBefore: 0n },
    ...{ reversedAt, receivedAt, source, fundedBy: "suspense" },
  };
  await restoreReversals(world.pools.workers, [fact]);
  const restored = await reversalOf(back);
  expect(restored).toMatchObject({ merchant_id: merchant.id, allocated_at: expect.any(String), completed_at: null });
  await untilPublished(intakeId);
  expect(publishedOf(intakeId)[0]).toMatchObject({ fundedBy: "suspense", merchant: { id: merchant.id } });
  // A repeat leaves one that has an owner as it is.
  await world.owner.query("update inbound_reversals set completed_at = now() where reversal_id = $1", [intakeId]);
  await restoreReversals(world.pools.workers, [fact]);
  expect((await reversalOf(back)).completed_at).not.toBeNull();
});
