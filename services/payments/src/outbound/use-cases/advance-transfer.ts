import { type Bus, refusalFor, type Standings } from "@collect/bus";
import { type PayoutRefusal, transferCompleted } from "@collect/contracts";
import type { Ledger } from "../adapters/ledger.ts";
import { partnerOf } from "../domain/payout-partners.ts";
import { endToBook, endToNotify, type Transfer } from "../domain/transfer.ts";
import { completedTransfer, logFields } from "../domain/transfer-record.ts";
import { type TransferTimes, waitAfter } from "../domain/transfer-times.ts";
import { markNotApproved } from "../store/approvals.ts";
import { isInFlight, takeBack } from "../store/held-transfers.ts";
import { markRefused, markReserved, markSending, postpone, storeEnd, storeFirstEnd } from "../store/transfer-steps.ts";
import { type BankDeps, callBank, committed, enquireAbout, orderAgainFrom, orderFrom } from "./call-bank.ts";

export type TransferDeps = BankDeps & {
  bus: Bus;
  ledger: Ledger;
  standings: Pick<Standings, "read">;
};

/** Advances a transfer step by step, as far as it can go now. Each step is committed before the next. */
export async function driveTransfer(deps: TransferDeps, claimed: Transfer): Promise<void> {
  const started = performance.now();
  let at = claimed;
  let outcome = "ok";
  try {
    for (let next: Transfer | undefined = claimed; next; next = await advance(deps, next)) at = next;
  } catch (error) {
    outcome = "later";
    deps.log.warn({ ...logFields(at), step: at.step, err: error }, "the transfer step failed and will be retried");
    await postpone(deps.pool, at, waitAfter(deps.times.enquiry, at.attempts)).catch(() => {
      // If the database is unreachable, the lease decides when the transfer is due again.
    });
  }
  const duration_ms = Math.round(performance.now() - started);
  deps.log.info({ ...logFields(at), from: claimed.step, step: at.step, outcome, duration_ms }, "transfer");
}

/** Performs one step. Returns the transfer if its next step can be performed now. */
export async function advance(deps: TransferDeps, transfer: Transfer): Promise<Transfer | undefined> {
  switch (transfer.step) {
    case "created":
      return reserved(await reserve(deps, transfer, deps.times.leaseMs));
    case "reserved":
      return transfer.approval === "required" ? expire(deps, transfer) : send(deps, transfer);
    case "sending":
      return callBank(deps, transfer, async () => (await enquireAbout(deps, transfer))?.state);
    case "decided":
      return book(deps, transfer);
    case "booked":
      return notifyMerchant(deps, transfer);
    case "told":
    case "refused":
      return undefined;
  }
}

/** The ledger refused to reserve the money: why, and what is there if that is too little and it said so. */
export type Refused = { refusal: PayoutRefusal; settled: bigint | undefined };

/**
 * Asks the ledger to reserve the money: the transfer, or why the ledger refuses it. Undefined when another request or worker
 * has already recorded its response.
 */
export async function reserve(
  { pool, ledger, times }: Pick<TransferDeps, "pool" | "ledger"> & { times: Pick<TransferTimes, "approvalMs"> },
  transfer: Transfer,
  leaseMs: number,
): Promise<Transfer | Refused | undefined> {
  const { reserved, refusal = "balance", approval_required, settled } = await ledger.reserve(transfer);
  if (!reserved) {
    await markRefused(pool, transfer.reference);
    return { refusal, settled: settled === undefined ? undefined : BigInt(settled) };
  }
  const step = approval_required
    ? { approval: "required" as const, waitMs: times.approvalMs }
    : { approval: null, waitMs: leaseMs };
  return committed(await markReserved(pool, transfer.reference, step));
}

/** Only what needs no approval goes on by itself. */
function reserved(result: Transfer | Refused | undefined): Transfer | undefined {
  return result && "step" in result && result.approval !== "required" ? result : undefined;
}

/** It is due, so the time for its approval is over. */
async function expire({ pool, times }: TransferDeps, transfer: Transfer): Promise<Transfer | undefined> {
  const { leaseMs } = times;
  return committed(await markNotApproved(pool, transfer, { as: "expired", by: null, leaseMs }));
}

/**
 * Calls the bank exactly once: the step, and which partner it is, are committed before the call, and from then on only the transfer's status is queried.
 * The claim decides which: the one that was chosen for the merchant, or else the default.
 * A live transfer asks for its merchant's standing between the two. So whoever suspends a merchant, commits that, and then
 * waits for the claims that are committed without an answer (`drain`), has seen the last call: a claim that it did not see is
 * committed later than the suspension, and asks later still.
 * A restored database may have lost that it called a bank before, so the banks are asked first: a partner that has the transfer, or
 * may have it, gets no second one beside it. While several may have it, none gets it: it stays pending without a partner.
 */
async function send(deps: TransferDeps, transfer: Transfer): Promise<Transfer | undefined> {
  const mayBeRepeat = deps.hasRecovered();
  const known = mayBeRepeat ? await enquireAbout(deps, transfer) : undefined;
  const partners = deps.partners[transfer.mode];
  const mayBeElsewhere = known !== undefined && known.candidates.length > 1;
  const sentTo = mayBeElsewhere ? null : (known?.partner ?? partners.standard).id;
  const route = { partner: sentTo, isKnown: known !== undefined, configured: partners.all.map(({ id }) => id) };
  const claimed = committed(await markSending(deps.pool, transfer, { ...deps.times, ...route }));
  if (claimed?.step !== "sending") return undefined;
  const partner = known?.partner ?? partnerOf(partners, claimed.partner);
  if (claimed.mode === "live") {
    const held = await holdUnlessAllowed(deps, claimed);
    if (held) return held.next;
  }
  if (!(await isInFlight(deps.pool, claimed, deps.times.leaseMs))) return undefined;
  return callBank(deps, claimed, async () => {
    if (known && (mayBeElsewhere || !known.state.isUncertain)) return known.state;
    return mayBeRepeat ? orderAgainFrom(partner, claimed) : orderFrom(partner, claimed);
  });
}

/**
 * Takes the claim back if the merchant is not allowed to pay out now: undefined if it is. A resumption that committed before the
 * hold may have looked for held transfers too early, so it is asked for once more, and the transfer goes on at once.
 */
async function holdUnlessAllowed(
  { pool, standings, times, log }: TransferDeps,
  claimed: Transfer,
): Promise<{ next: Transfer | undefined } | undefined> {
  const mayPay = async () => !refusalFor(await standings.read(claimed.merchantId));
  try {
    if (await mayPay()) return undefined;
    const held = await takeBack(pool, claimed, { heldFor: "merchant_suspended", waitMs: times.heldMs });
    return { next: held && (await mayPay()) ? held : undefined };
  } catch (error) {
    log.warn({ ...logFields(claimed), err: error }, "the merchant's standing is not known; the transfer waits");
    await takeBack(pool, claimed, { heldFor: null, waitMs: times.enquiry.longestMs });
    return { next: undefined };
  }
}

async function book({ pool, log, ledger, times }: TransferDeps, transfer: Transfer): Promise<Transfer | undefined> {
  const end = endToBook(transfer);
  const { booked, first_end, counted_at: countedAt } = await ledger.complete(transfer, end);
  if (booked === "suspense")
    log.error(
      { ...logFields(transfer), alarm: "transfer_contradicted", end },
      "the ledger has booked a different outcome",
    );
  // A restore lost that it had ended: the first end is what the money and the merchant follow.
  if (first_end && first_end !== end && transfer.status === "pending")
    return committed(await storeFirstEnd(pool, transfer, first_end));
  const stored = { end, countedAt, followUpInMs: times.followUpsMs[0], leaseMs: times.leaseMs };
  return committed(await storeEnd(pool, transfer, stored));
}

/**
 * Publishes the fact for the merchant's event, repeatedly until webhooks confirms that the event is recorded: a fact
 * that the broker loses is published again.
 */
async function notifyMerchant({ pool, bus, times }: TransferDeps, transfer: Transfer): Promise<undefined> {
  const end = endToNotify(transfer);
  if (end) await bus.publish(transferCompleted, [completedTransfer(transfer, end)]);
  await postpone(pool, transfer, waitAfter(times.notification, transfer.attempts));
}
