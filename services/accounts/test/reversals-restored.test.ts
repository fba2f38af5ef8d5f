import { answer, durableName, ensureStreams, serveRequests, streamName } from "@collect/bus";
import {
  allocateTransfer,
  collectionRecorded,
  type Fact,
  getRecovery,
  instantOf,
  listAccountCopies,
  listErasureCopies,
  listIntakes,
  listReversals,
  startRecovery,
  suspensePosted,
  suspenseReversed,
  transferReversed,
} from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { restoreReversals } from "../src/store/reversal-recovery.ts";
import { rowOf, world } from "./intake-world.ts";
import {
  AT,
  aCredit,
  aReversal,
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
const none = { rows: [], next: null };
const requests = [
  answer(listAccountCopies, async () => none),
  answer(listIntakes, async () => ({ intakes: [], next: null })),
  answer(listReversals, async () => ({ ...none, rows: stored })),
  answer(listErasureCopies, async () => none),
];
await serveRequests(world.others, { service: "payments", log: world.log, requests }).start();

const recovery = async () => (await world.others.request(getRecovery.accounts, {})).recovery;
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
  await until("it waits for the ledger", async () => (await recovery())?.step?.includes("have consumed"));
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
  await until("accounts has caught up", async () => (await recovery())?.finished_at);
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

test("a reversal that was complete in suspense in the backup, and whose credit was allocated since, is driven again", async () => {
  const { merchant } = await aCredit();
  const transfer = aReport("0123456789", { amount: 1_000 });
  expect(await statusOf(transfer)).toBe("unallocated");
  const { intake_id: creditId } = await rowOf(transfer.id);
  const posted = { mode: "live" as const, transactionId: "1", postedAt: AT };
  await world.others.publish(suspensePosted, [{ ...posted, intakeId: creditId, amount: 100_000n }]);
  await until("complete", async () => (await rowOf(transfer.id)).completed_at !== null);
  const back = aReversal(transfer, { amount: 400 });
  expect(await statusOf(back)).toBe("accepted");
  const { reversal_id: intakeId, reversed_at: reversedAt, received_at: receivedAt } = await reversalOf(back);
  await world.others.publish(suspenseReversed, [{ ...posted, intakeId, amount: 40_000n }]);
  await until("complete", async () => (await reversalOf(back)).completed_at !== null);
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
