import {
  approveTransfer,
  approveTransferBatch,
  browseBatchLines,
  browseTransferBatches,
  confirmTransferBatch,
  createTransfer,
  declineTransfer,
  discardTransferBatch,
  getPayoutLimits,
  getPayoutState,
  Instant,
  listBanks,
  listBeneficiaries,
  removeBeneficiary,
  reopenTransferBatch,
  resolveAccount,
  saveBeneficiary,
  setOwnPayoutLimits,
  showTransfer,
  showTransferBatch,
  uploadTransferBatch,
} from "@collect/contracts";
import { z } from "zod";
import { accountHint } from "../domain/audit-detail.ts";
import { TransferTimeline } from "./answers.ts";
import {
  type Announcement,
  act,
  composedAct,
  composedRead,
  type Declaration,
  list,
  only,
  read,
} from "./declaration.ts";

/** Only what allows more waits, and can still be stopped. */
const LOOSENED_LIMITS: Announcement = {
  kind: "payout_limits_changed",
  to: ["owner", "finance"],
  outcome: (response) => {
    const { data } = Upcoming.safeParse(response);
    return data?.upcoming === null ? null : (data ?? {});
  },
};
const Upcoming = z.object({ upcoming: z.looseObject({}).nullable() });

export const TRANSFER_READS = {
  "transfers/:reference": read(showTransfer),
  "transfers/:reference/timeline": composedRead(z.object({ reference: z.string().max(100) }), TransferTimeline),
  "transfer-batches": list(browseTransferBatches),
  "transfer-batches/:reference": read(showTransferBatch),
  "transfer-batches/:reference/lines": list(browseBatchLines),
  payouts: read(getPayoutState),
  "payout-limits": read(getPayoutLimits),
  banks: read(listBanks),
  beneficiaries: read(listBeneficiaries),
} satisfies Record<string, Declaration>;

/** The acts on money that leaves, among those of a merchant. */
export const TRANSFER_ACTS = {
  "transfers/resolve": act("money", resolveAccount, {
    audit: {
      action: "account.resolved",
      detail: (fields) => ({ ...only("bank_code")(fields), account: accountHint(fields.account_number) }),
      liveOnly: true,
    },
  }),
  "transfers/:reference/approve": composedAct("approvals", {
    input: z.object({ reference: z.string().max(100) }),
    output: approveTransfer.output,
    recentlyAuthenticated: true,
    audit: { action: "transfer.approved", detail: only("reference") },
  }),
  "transfers/:reference/decline": act("approvals", declineTransfer, {
    recentlyAuthenticated: true,
    audit: { action: "transfer.declined", detail: only("reference") },
  }),
  "transfers/:reference/again": composedAct("money", {
    input: z.object({ reference: z.string().max(100) }),
    output: createTransfer.output,
    recentlyAuthenticated: true,
    audit: { action: "transfer.sent_again", detail: only("reference") },
  }),
  "payout-limits": act("business", setOwnPayoutLimits, {
    recentlyAuthenticated: true,
    audit: { action: "payout_limits.set", detail: only("transfer_max", "day_max", "approval_above"), bothModes: true },
    announces: LOOSENED_LIMITS,
  }),
  transfers: act("money", createTransfer, {
    recentlyAuthenticated: true,
    audit: {
      action: "transfer.made",
      detail: (fields) => ({
        ...only("reference", "amount", "bank_code")(fields),
        account: accountHint(fields.account_number),
      }),
    },
  }),

  beneficiaries: act("money", saveBeneficiary, {
    audit: { action: "beneficiary.saved", detail: only("reference") },
  }),
  "beneficiaries/remove": act("money", removeBeneficiary, {
    audit: {
      action: "beneficiary.removed",
      detail: (fields) => ({ ...only("bank_code")(fields), account: accountHint(fields.account_number) }),
    },
  }),

  // ---- many at once ----
  "transfer-batches": act("money", uploadTransferBatch, {
    audit: { action: "transfer_batch.uploaded", detail: only("name") },
  }),
  "transfer-batches/:reference/confirm": act("money", confirmTransferBatch, {
    recentlyAuthenticated: true,
    audit: { action: "transfer_batch.confirmed", detail: only("reference", "lines", "total") },
  }),
  "transfer-batches/:reference/approve": composedAct("approvals", {
    input: z.object({ reference: z.string().max(100), confirmed_at: Instant }),
    output: approveTransferBatch.output,
    recentlyAuthenticated: true,
    audit: { action: "transfer_batch.approved", detail: only("reference") },
  }),
  "transfer-batches/:reference/reopen": act("money", reopenTransferBatch, {
    audit: { action: "transfer_batch.reopened", detail: only("reference") },
  }),
  "transfer-batches/:reference/discard": act("money", discardTransferBatch, {
    audit: { action: "transfer_batch.discarded", detail: only("reference") },
  }),
} satisfies Record<string, Declaration>;
