import { answer, type Request } from "@collect/bus";
import {
  type Actor,
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
import { approvesFrom, mayApprove, type Transfer } from "../domain/transfer.ts";
import { toTransferResponse } from "../domain/transfer-record.ts";
import { markApproved, markNotApproved } from "../store/approvals.ts";
import { findTransfer } from "../store/transfers.ts";

type Deps = { pool: Pool; worker: { wake(mode: Mode): void } };

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
  { pool, worker }: Deps,
  { merchant, reference }: Input<typeof declineTransfer>,
  decision: "approved" | "declined",
  mark: (transfer: Transfer) => Promise<Transfer | undefined>,
) {
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

function assertMayApprove({ orderedBy, mode }: Transfer, actor: Actor, approvingSince: string): void {
  if (!mayApprove(orderedBy, actor))
    throw new Problem(
      "second_person_required",
      orderedBy?.kind === "key"
        ? "You made the key that ordered this transfer. Another owner, or a member with the finance role, has to approve it."
        : "You ordered this transfer. Another owner, or a member with the finance role, has to approve it.",
    );
  const from = approvesFrom(mode, new Date(approvingSince), new Date());
  if (from)
    throw new Problem(
      "approver_too_new",
      `You can approve payouts from ${inLagos(from)}, a day after you were given the role. Until then another owner or finance member has to.`,
    );
}

/** To the next full minute, so that what is said is true. */
const inLagos = (time: Date) => `${LAGOS.format(Math.ceil(time.getTime() / 60_000) * 60_000)} (Lagos time)`;
const LAGOS = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "Africa/Lagos" });

const CONFLICTS = {
  none: "This transfer needs no approval.",
  required: "This transfer could not be decided on. Try again.",
  approved: "This transfer was already approved.",
  declined: "This transfer was already declined.",
  expired: "This transfer was not approved in time, and its money was returned.",
  lost: "This transfer's approval was lost when the database was restored. Whether the bank received it is being found out.",
} as const;
