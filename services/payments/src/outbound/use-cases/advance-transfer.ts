import type { Payout, PayoutBank, PayoutState } from "@collect/bank";
import type { Bus } from "@collect/bus";
import { type Mode, transferCompleted } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { failpoint, type Logger } from "@collect/runtime";
import type { Ledger } from "../adapters/ledger.ts";
import { endToBook, endToTell, type Transfer, verdictOn } from "../domain/transfer.ts";
import { completedTransfer } from "../domain/transfer-record.ts";
import { type TransferTimes, waitAfter } from "../domain/transfer-times.ts";
import {
  markRefused,
  markReserved,
  markSending,
  postpone,
  sentForMs,
  storeEnd,
  storeVerdict,
} from "../store/transfer-steps.ts";

export type TransferDeps = {
  pool: Pool;
  bus: Bus;
  log: Logger;
  ledger: Ledger;
  banks: Record<Mode, PayoutBank>;
  times: TransferTimes;
  /** Whether this database was restored lately: then the bank may know of transfers that no service does. */
  hasRecovered(): boolean;
};

/** Goes on with a transfer step by step, as far as it can be gone on with now. Each step is committed before the next. */
export async function driveTransfer(deps: TransferDeps, claimed: Transfer): Promise<void> {
  const started = performance.now();
  let at = claimed;
  let outcome = "ok";
  try {
    for (let next: Transfer | undefined = claimed; next; next = await advance(deps, next)) at = next;
  } catch (error) {
    outcome = "later";
    deps.log.warn({ ...lineOf(at), step: at.step, err: error }, "the transfer is gone on with later");
    await postpone(deps.pool, at, waitAfter(deps.times.ask, at.attempts)).catch(() => {
      // Without the database its lease decides when it is due.
    });
  }
  const duration_ms = Math.round(performance.now() - started);
  deps.log.info({ ...lineOf(at), from: claimed.step, step: at.step, outcome, duration_ms }, "transfer");
}

/** One step. Gives the transfer when there is more to do with it now. */
export async function advance(deps: TransferDeps, transfer: Transfer): Promise<Transfer | undefined> {
  switch (transfer.step) {
    case "created":
      return reserve(deps, transfer, deps.times.leaseMs);
    case "reserved":
      return send(deps, transfer);
    case "sending":
      return hear(deps, transfer, (bank, payout) => bank.enquire(payout));
    case "decided":
      return book(deps, transfer);
    case "booked":
      return tell(deps, transfer);
    case "told":
    case "refused":
      return undefined;
  }
}

/** Asks the ledger to hold the money. Undefined when it does not, or when somebody else was first to hear of it. */
export async function reserve(
  { pool, ledger }: Pick<TransferDeps, "pool" | "ledger">,
  transfer: Transfer,
  leaseMs: number,
): Promise<Transfer | undefined> {
  if (await ledger.reserve(transfer)) return committed(await markReserved(pool, transfer.reference, leaseMs));
  await markRefused(pool, transfer.reference);
  return undefined;
}

/** Calls the bank: once, because the step is committed before, and from then on the transfer is only asked about. */
async function send(deps: TransferDeps, transfer: Transfer): Promise<Transfer | undefined> {
  const began = performance.now();
  const sending = committed(await markSending(deps.pool, transfer.reference, deps.times.leaseMs));
  // A process that slept in between no longer holds the lease: by now others may be asking.
  if (!sending || performance.now() - began > deps.times.leaseMs) return undefined;
  return hear(deps, sending, async (bank, payout) => {
    const known = deps.hasRecovered() ? await bank.enquire(payout) : undefined;
    return known ?? bank.pay(payout);
  });
}

/** Stores what the bank says. Whatever it throws says nothing: it is asked later. */
async function hear(
  { pool, log, banks, times }: TransferDeps,
  transfer: Transfer,
  call: (bank: PayoutBank, payout: Payout) => Promise<PayoutState | undefined>,
): Promise<Transfer | undefined> {
  const later = () => postpone(pool, transfer, waitAfter(times.ask, transfer.attempts));
  let heard: PayoutState | undefined;
  try {
    heard = await call(banks[transfer.mode], payoutOf(transfer));
  } catch (error) {
    log.warn({ ...lineOf(transfer), err: error }, "the bank did not say how the transfer stands");
    await later();
    return undefined;
  }
  failpoint("posted");
  const sinceMs = heard ? 0 : await sentForMs(pool, transfer.reference);
  const verdict = verdictOn(heard, { sentForMs: sinceMs, unknownAfterMs: times.unknownAfterMs });
  if (verdict) return committed(await storeVerdict(pool, transfer, verdict, times.leaseMs));
  await later();
  return undefined;
}

async function book({ pool, log, ledger, times }: TransferDeps, transfer: Transfer): Promise<Transfer | undefined> {
  const end = endToBook(transfer);
  const booked = await ledger.complete(transfer, end);
  if (booked === "suspense")
    log.error({ ...lineOf(transfer), alarm: "transfer_contradicted", end }, "the ledger has another end in its books");
  const stored = { end, followUpInMs: times.followUpsMs[0], leaseMs: times.leaseMs };
  return committed(await storeEnd(pool, transfer, stored));
}

/** Tells the merchant's event, again and again until it is recorded: whatever the broker loses is told once more. */
async function tell({ pool, bus, times }: TransferDeps, transfer: Transfer): Promise<undefined> {
  const end = endToTell(transfer);
  if (end) await bus.publish(transferCompleted, [completedTransfer(transfer, end)]);
  await postpone(pool, transfer, waitAfter(times.tell, transfer.attempts));
}

export const payoutOf = ({ reference, bankCode, accountNumber, amount, narration }: Transfer): Payout => ({
  id: reference,
  bankCode,
  accountNumber,
  amount,
  narration,
});

/** What names a transfer in the log. */
export const lineOf = ({ reference, merchantId, mode }: Transfer) => ({
  subject: "transfer",
  transfer: reference,
  merchant_id: merchantId,
  mode,
});

function committed(transfer: Transfer | undefined): Transfer | undefined {
  if (transfer) failpoint("committed");
  return transfer;
}
