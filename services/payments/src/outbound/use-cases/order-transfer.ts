import type { Standings } from "@collect/bus";
import { type MerchantScope, type Metadata, type Mode, Problem, type RequestContext } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { formatNaira, type Kobo } from "@collect/money";
import { failpoint } from "@collect/runtime";
import type { Ledger } from "../adapters/ledger.ts";
import type { EnquiryLimits } from "../domain/enquiry-limits.ts";
import type { PayoutPartners } from "../domain/payout-partners.ts";
import { transferReference } from "../domain/reference.ts";
import { isSameOrder, type Transfer } from "../domain/transfer.ts";
import type { TransferTimes } from "../domain/transfer-times.ts";
import { countRefused, findTransfer, findTransferOf, insertTransfer, type NewTransfer } from "../store/transfers.ts";
import { type Refused, reserve } from "./advance-transfer.ts";
import { enquireForOrder } from "./enquire.ts";
import { payingPartner } from "./payouts-run.ts";

export type OrderDeps = {
  config: { TRANSFER_KEY: string };
  pool: Pool;
  ledger: Ledger;
  partners: Record<Mode, PayoutPartners>;
  standings: Pick<Standings, "assertMayCreate">;
  times: Pick<TransferTimes, "approvalMs">;
  enquiryLimits: EnquiryLimits;
  /** The worker that advances transfers; `wake` says that a transfer of this mode is due now. */
  worker: { wake(mode: Mode): void };
};
export type TransferOrder = {
  merchant: MerchantScope;
  amount: Kobo;
  bank_code: string;
  account_number: string;
  reference: string;
  narration?: string | undefined;
  metadata?: Metadata | undefined;
};

/** Stores the row of an order. A file's is stored under the condition that its line may still be ordered. */
export type InsertTransfer = (pool: Pool, transfer: NewTransfer, leaseMs: number) => Promise<Transfer | undefined>;

/** How long the worker leaves a new transfer to the request or the file that ordered it. */
const CREATING_MS = 15_000;

/**
 * The merchant's reference is claimed by its unique key, and the money is reserved under the transfer's id, before the
 * bank is called. Wherever this process dies, a repeat of the request or the worker continues from the row.
 */
export async function orderTransfer(
  deps: OrderDeps,
  order: TransferOrder,
  context: RequestContext,
  insert: InsertTransfer = insertTransfer,
): Promise<{ transfer: Transfer; created: boolean }> {
  const known = await findTransferOf(deps.pool, order.merchant, order.reference);
  const transfer = known ?? (await claim(deps, order, { context, insert }));
  if (!isSameOrder(transfer, order))
    throw new Problem("reference_conflict", "This reference was already used for a different transfer.");
  if (transfer.step !== "created") return { transfer, created: false };

  const reserved = await reserve(deps, transfer, 0);
  if (reserved && "refusal" in reserved) throw refusal(reserved);
  if (reserved) {
    deps.worker.wake(transfer.mode);
    return { transfer: reserved, created: true };
  }
  // Another request or worker recorded the ledger's response first.
  const current = await findTransfer(deps.pool, order.merchant, transfer.reference);
  if (!current) throw refusal({ refusal: "balance" });
  return { transfer: current, created: false };
}

/**
 * The row of this reference: a new one, or that of a concurrent duplicate that committed first. A merchant that may not send
 * money now, or whose settled balance is too low, is refused before the bank is called and before anything is written; the
 * reserve that follows is what decides.
 */
async function claim(
  deps: OrderDeps,
  order: TransferOrder,
  { context, insert }: { context: RequestContext; insert: InsertTransfer },
): Promise<Transfer> {
  const { config, pool, ledger, standings } = deps;
  const { merchant } = order;
  const [{ payouts }] = await Promise.all([payingPartner(deps, merchant), standings.assertMayCreate(merchant)]);
  const settled = await ledger.settled(merchant);
  if (settled < order.amount) throw refusal({ refusal: "balance", settled });
  const { bank_code, account_number } = order;
  const account = { bank_code, account_number };
  const names = await enquireForOrder(deps, { merchant, account, context, payouts });
  const tries = await countRefused(pool, merchant, order.reference);
  const inserted = await insert(
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
