import { answer, type Epochs, type Request } from "@collect/bus";
import {
  approveTransfer,
  declineTransfer,
  type Input,
  isReferenceOf,
  type MerchantScope,
  type Mode,
  Problem,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { failpoint } from "@collect/runtime";
import type { Transfer } from "../domain/transfer.ts";
import { toTransferResponse } from "../domain/transfer-record.ts";
import { markApproved, markNotApproved } from "../store/approvals.ts";
import { findTransfer } from "../store/transfers.ts";
import { assertMayApprove } from "../use-cases/may-approve.ts";

type Deps = { pool: Pool; epochs: Pick<Epochs, "assertCurrent">; worker: { wake(mode: Mode): void } };

/** The second person's decision on a transfer above the merchant's threshold. A repeat of it gets the same response. */
export function approvalRequests(deps: Deps): Request[] {
  const { pool } = deps;
  return [
    answer(approveTransfer, (input, { actor }) =>
      decide(deps, input, "approved", (transfer) => {
        assertMayApprove(transfer, actor, input.approving_since);
        return markApproved(pool, transfer, { by: actor, since: input.approving_since });
      }),
    ),
    answer(declineTransfer, (input, { actor }) =>
      decide(deps, input, "declined", (transfer) =>
        markNotApproved(pool, transfer, { as: "declined", by: actor, leaseMs: 0 }),
      ),
    ),
  ];
}

async function decide(
  { pool, epochs, worker }: Deps,
  { merchant, reference }: Input<typeof declineTransfer>,
  decision: "approved" | "declined",
  mark: (transfer: Transfer) => Promise<Transfer | undefined>,
) {
  // What was decided before a restore may be lost, and the bank may have been called.
  epochs.assertCurrent();
  const transfer = await find(pool, merchant, reference);
  const decided = transfer.approval === "required" ? await mark(transfer) : undefined;
  if (decided) {
    failpoint("committed");
    worker.wake(merchant.mode);
  }
  const current = decided ?? (await find(pool, merchant, reference));
  if (current.approval !== decision) throw new Problem("conflict", CONFLICTS[current.approval ?? "none"]);
  return { transfer: toTransferResponse(current) };
}

async function find(pool: Pool, merchant: MerchantScope, reference: string): Promise<Transfer> {
  const found = isReferenceOf("trf", reference) ? await findTransfer(pool, merchant, reference) : undefined;
  if (!found) throw new Problem("not_found", "There is no such transfer.");
  return found;
}

const CONFLICTS = {
  none: "This transfer needs no approval.",
  required: "This transfer could not be decided on. Try again.",
  approved: "This transfer was already approved.",
  declined: "This transfer was already declined.",
  expired: "This transfer was not approved in time, and its money was returned.",
  lost: "This transfer's approval was lost when the database was restored. Whether the bank received it is being found out.",
} as const;
