import { answer, type Consumer, consumeByStatement, type Epochs, type Request, type Standings } from "@collect/bus";
import {
  createTransfer,
  getTransfer,
  type Input,
  isReferenceOf,
  type Mode,
  Problem,
  type RequestContext,
  transferRecorded,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { formatNaira } from "@collect/money";
import { failpoint } from "@collect/runtime";
import type { Ledger } from "../adapters/ledger.ts";
import type { EnquiryLimits } from "../domain/enquiry-limits.ts";
import { transferReference } from "../domain/reference.ts";
import { isSameOrder, type Transfer } from "../domain/transfer.ts";
import { parseEventKey, toTransferResponse } from "../domain/transfer-record.ts";
import type { TransferTimes } from "../domain/transfer-times.ts";
import { keepEventNumbers } from "../store/event-numbers.ts";
import { markNotified } from "../store/transfer-steps.ts";
import { countRefused, findTransfer, findTransferOf, insertTransfer } from "../store/transfers.ts";
import { type Refused, reserve } from "../use-cases/advance-transfer.ts";
import { enquireForOrder } from "../use-cases/enquire.ts";
import { missingTransfer } from "../use-cases/missing-transfer.ts";
import { assertPayoutsRun } from "../use-cases/payouts-run.ts";
import type { Banks } from "../use-cases/resolve-account.ts";

type Deps = {
  config: { TRANSFER_KEY: string };
  epochs: Epochs;
  pool: Pool;
  ledger: Ledger;
  banks: Banks;
  standings: Pick<Standings, "assertMayCreate">;
  times: Pick<TransferTimes, "approvalMs">;
  enquiryLimits: EnquiryLimits;
  worker: TransferQueue;
};
/** The worker that advances transfers; `wake` says that a transfer of this mode is due now. */
type TransferQueue = { wake(mode: Mode): void };
type Order = Input<typeof createTransfer>;

/** How long the worker leaves a new transfer to the request that created it. */
const CREATING_MS = 15_000;

export function transferRequests(deps: Deps): Request[] {
  const { pool, epochs } = deps;
  return [
    answer(createTransfer, (order, context) => {
      deps.epochs.assertCurrent();
      return create(deps, order, context);
    }),

    answer(getTransfer, async ({ merchant, reference }) => {
      const transfer = isReferenceOf("trf", reference) ? await findTransfer(pool, merchant, reference) : undefined;
      return toTransferResponse(transfer ?? missingTransfer(epochs));
    }),
  ];
}

/** webhooks has recorded the merchant's event, so the fact is not published again. */
export function acceptRecordedEvents(worker: TransferQueue): Consumer {
  return consumeByStatement(transferRecorded, { batchMax: 300 }, async ({ tx, afterwards }, recorded) => {
    await keepEventNumbers(tx, recorded);
    const modes = await markNotified(
      tx,
      recorded.map(({ key }) => parseEventKey(key)),
    );
    afterwards(() => {
      for (const mode of modes) worker.wake(mode);
    });
  });
}

/**
 * The merchant's reference is claimed by its unique key, and the money is reserved under the transfer's id, before the
 * bank is called. Wherever this process dies, a repeat of the request or the worker continues from the row.
 */
async function create(
  deps: Deps,
  order: Order,
  context: RequestContext,
): Promise<{ transfer: ReturnType<typeof toTransferResponse>; created: boolean }> {
  const transfer =
    (await findTransferOf(deps.pool, order.merchant, order.reference)) ?? (await claim(deps, order, context));
  if (!isSameOrder(transfer, order))
    throw new Problem("reference_conflict", "This reference was already used for a different transfer.");
  if (transfer.step !== "created") return { transfer: toTransferResponse(transfer), created: false };

  const reserved = await reserve(deps, transfer, 0);
  if (reserved && "refusal" in reserved) throw refusal(reserved);
  if (reserved) {
    deps.worker.wake(transfer.mode);
    return { transfer: toTransferResponse(reserved), created: true };
  }
  // Another request or worker recorded the ledger's response first.
  const current = await findTransfer(deps.pool, order.merchant, transfer.reference);
  if (!current) throw refusal({ refusal: "balance" });
  return { transfer: toTransferResponse(current), created: false };
}

/**
 * The row of this reference: a new one, or that of a concurrent duplicate that committed first. A merchant that may not send
 * money now, or whose settled balance is too low, is refused before the bank is called and before anything is written; the
 * reserve that follows is what decides.
 */
async function claim(deps: Deps, order: Order, context: RequestContext): Promise<Transfer> {
  const { config, pool, ledger, standings } = deps;
  const { merchant } = order;
  await Promise.all([standings.assertMayCreate(merchant), assertPayoutsRun(pool, merchant.mode)]);
  const settled = await ledger.settled(merchant);
  if (settled < order.amount) throw refusal({ refusal: "balance", settled });
  const { bank_code, account_number } = order;
  const names = await enquireForOrder(deps, { merchant, account: { bank_code, account_number }, context });
  const tries = await countRefused(pool, merchant, order.reference);
  const inserted = await insertTransfer(
    pool,
    {
      reference: transferReference(config.TRANSFER_KEY, { merchant, merchantReference: order.reference, tries }),
      merchantId: merchant.id,
      mode: merchant.mode,
      merchantReference: order.reference,
      amount: order.amount,
      bankCode: bank_code,
      bankName: names.bank_name,
      accountNumber: account_number,
      accountName: names.account_name,
      nameWithheld: names.isWithheld,
      narration: order.narration ?? null,
      metadata: order.metadata ?? {},
      orderedBy: context.actor.kind === "anonymous" ? null : context.actor,
    },
    CREATING_MS,
  );
  if (inserted) failpoint("committed");
  const transfer = inserted ?? (await findTransferOf(pool, merchant, order.reference));
  // A concurrent duplicate's row that is gone was refused in the meantime, and so is this request.
  if (!transfer) throw refusal({ refusal: "balance" });
  return transfer;
}

/** The merchant's own limits are in the dashboard; here the order is only told which of them it exceeds. */
function refusal({ refusal: cause, settled }: Partial<Refused> & Pick<Refused, "refusal">): Problem {
  if (cause !== "balance") return new Problem("payout_limit_exceeded", LIMITS[cause]);
  const there = settled === undefined ? "" : `: ${formatNaira(settled)} is there`;
  return new Problem("insufficient_balance", `The settled balance is too low for this transfer${there}.`);
}
const LIMITS = {
  transfer_limit:
    "The amount is above the limit of one transfer. Send less, or have an owner raise the limit in the dashboard.",
  day_limit:
    "With this amount, today's transfers would be above the limit of a day. Send less, try again tomorrow (Lagos time), or have an owner raise the limit in the dashboard.",
} as const;
