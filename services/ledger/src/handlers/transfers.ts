import { answer, type Epochs, type Request } from "@collect/bus";
import { completeTransfer, type Input, Problem, reserveTransfer } from "@collect/contracts";
import { type Pool, readClock, type Transaction, transaction } from "@collect/database";
import { createKeyedQueue } from "@collect/runtime";
import type { PayoutLimits } from "../domain/payout-limits.ts";
import type { BookingContext, Outbound } from "../domain/transfer.ts";
import { bookEnd, reserve } from "../store/transfers.ts";
import type { Posting } from "../use-cases/post-transactions.ts";

type Deps = Posting & { pool: Pool; epochs: Epochs; standardLimits: PayoutLimits };

/** The maximum number of queued transfers of one merchant and mode in this process. */
const WAITING_MAX = 100;

/**
 * Reserves the money of outbound transfers and books their outcomes. A repeat gets the same decision. A contradiction raises
 * an alarm: a transfer with other values, or one that was never reserved, is refused; a success after a failure is booked to
 * suspense; a failure after a success is answered `suspense` too, although nothing is booked for it.
 * A ledger that may have lost reserves refuses both requests.
 * A merchant's transfers are queued before they take a connection: otherwise each would hold one while it waits for the
 * others' locks, and exhaust the pool for other merchants.
 */
export function transferRequests(deps: Deps): Request[] {
  const enqueue = createKeyedQueue({
    waitingMax: WAITING_MAX,
    refuse: () =>
      new Problem("service_unavailable", "Too many transfers at once for this merchant. Try again shortly."),
  });
  const book = <Result>(transfer: Outbound, work: (tx: Transaction, context: BookingContext) => Promise<Result>) =>
    enqueue(`${transfer.merchant.mode}:${transfer.merchant.id}`, () => bookOrAlarm(deps, transfer, work));
  return [
    answer(reserveTransfer, async (input) => {
      deps.epochs.assertCurrent();
      const transfer = outbound(input);
      const { standardLimits } = deps;
      const { reserved, refusal, approval_required, settled } = await book(transfer, (tx, context) =>
        reserve(tx, transfer, { ...context, standardLimits, order: input.order }),
      );
      const tooLow = refusal === "balance" && settled !== undefined;
      return {
        reserved,
        ...(refusal && { refusal }),
        ...(tooLow && { settled }),
        ...(reserved && approval_required && { approval_required }),
      };
    }),
    answer(completeTransfer, async (input) => {
      deps.epochs.assertCurrent();
      const { outcome } = input;
      const transfer = outbound(input);
      const ended = await book(transfer, (tx, context) => bookEnd(tx, transfer, outcome, context));
      if (ended.booked === "suspense")
        deps.log.error(
          { alarm: "transfer_contradicted", ...subject(transfer), outcome },
          "the transfer had already ended with a different outcome",
        );
      return ended;
    }),
  ];
}

/** Runs one transaction. A refusal raises an alarm: it needs an operator. */
async function bookOrAlarm<Result>(
  { pool, shard, log }: Deps,
  transfer: Outbound,
  work: (tx: Transaction, context: BookingContext) => Promise<Result>,
): Promise<Result> {
  try {
    return await transaction(pool, async (tx) => {
      const notifiedAt = await readClock(tx);
      return work(tx, { shard, notifiedAt: notifiedAt.toISOString() });
    });
  } catch (error) {
    if (error instanceof Problem) log.error({ alarm: "transfer_differs", ...subject(transfer) }, error.message);
    throw error;
  }
}

const subject = ({ transferId, merchant }: Outbound) => ({
  transfer_id: transferId,
  merchant_id: merchant.id,
  mode: merchant.mode,
});

const outbound = ({ transfer_id, merchant, amount }: Input<typeof reserveTransfer>): Outbound => ({
  transferId: transfer_id,
  merchant,
  amount,
});
