import type { Bus } from "@collect/bus";
import { answer, type Request } from "@collect/bus";
import {
  type BusinessDetails,
  decideVerification,
  getVerification,
  type Input,
  instantOf,
  type KeptDetails,
  listVerifications,
  resolveAccount,
  saveVerification,
  submitVerification,
  type Verification,
} from "@collect/contracts";
import type { z } from "zod";
import { aboutWhatWasSeen, afterEnquiry, reasonOf, stateAfter } from "../domain/verification.ts";
import { changingMerchant, noSuchMerchant } from "../store/merchants.ts";
import type { LockedMerchant, PrismaClient, PrismaTransaction } from "../store/prisma.ts";
import {
  approve,
  changeVerification,
  type KeptVerification,
  listVerifications as list,
  readVerification,
  standing,
} from "../store/verifications.ts";

const LISTED_MAX = 100;
type Deps = { prisma: PrismaClient; bus: Bus };

export function verificationRequests({ prisma, bus }: Deps): Request[] {
  return [
    answer(getVerification, async ({ merchant_id: id }) => {
      const merchant = await prisma.merchant.findUnique({ where: { id }, include: { verification: true } });
      if (!merchant) throw noSuchMerchant();
      return toResponse(merchant, standing(merchant.verification, merchant.verifiedAt));
    }),
    answer(listVerifications, async ({ state }) => {
      const rows = await list(prisma, state, LISTED_MAX);
      return {
        verifications: rows.map(({ merchant, ...row }) => toResponse(merchant, standing(row, merchant.verifiedAt))),
      };
    }),
    answer(saveVerification, ({ merchant_id, details }, requestId) =>
      changingMerchant(prisma, merchant_id, async (tx, merchant) => {
        const current = await readVerification(tx, merchant);
        return toResponse(merchant, await storeDraft(tx, merchant, { current, details, requestId }));
      }),
    ),
    answer(submitVerification, (input, requestId) => submit({ prisma, bus }, input, requestId)),
    answer(decideVerification, (input, requestId) => decide(prisma, input, requestId)),
  ];
}

type Submission = { merchant_id: string; details: z.output<typeof BusinessDetails> };

/**
 * The details are saved first, so that they are kept whatever the bank responds. The name enquiry runs between two
 * transactions; of two concurrent submissions, the second finds the first one's and is refused.
 */
async function submit({ prisma, bus }: Deps, { merchant_id, details }: Submission, requestId: string) {
  const { id, name } = await changingMerchant(prisma, merchant_id, async (tx, merchant) => {
    const current = await readVerification(tx, merchant);
    stateAfter(current.state, "submit");
    const counted = { ...current, ...afterEnquiry(current, merchant.now) };
    await storeDraft(tx, merchant, { current: counted, details, requestId });
    return merchant;
  });
  const { settlement_bank_code: bank_code, settlement_account_number: account_number } = details;
  const enquiry = { merchant: { id, mode: "live" as const, name }, bank_code, account_number };
  const resolved = await bus.request(resolveAccount, enquiry, requestId);
  return changingMerchant(prisma, merchant_id, async (tx, merchant) => {
    const current = await readVerification(tx, merchant);
    const submitted = await changeVerification(tx, merchant, current, {
      state: stateAfter(current.state, "submit"),
      details,
      settlementAccountName: resolved.account_name,
      settlementBankName: resolved.bank_name,
      reason: null,
      submittedAt: merchant.now,
      decidedAt: null,
    });
    await audit(tx, merchant, { action: "verification.submitted", requestId });
    return toResponse(merchant, submitted);
  });
}

type Decision = Input<typeof decideVerification>;

async function decide(prisma: PrismaClient, { merchant_id, submitted_at, ...given }: Decision, requestId: string) {
  const reason = reasonOf(given);
  return changingMerchant(prisma, merchant_id, async (tx, merchant) => {
    const current = await readVerification(tx, merchant);
    const state = stateAfter(current.state, reason === null ? "approve" : "return");
    aboutWhatWasSeen(current.submittedAt, submitted_at);
    if (reason === null) {
      await audit(tx, merchant, { action: "verification.approved", requestId });
      return toResponse(merchant, await approve(tx, merchant));
    }
    const returned = { state, reason, decidedAt: merchant.now };
    await audit(tx, merchant, { action: "verification.returned", detail: { reason }, requestId });
    return toResponse(merchant, await changeVerification(tx, merchant, current, returned));
  });
}

type Draft = { current: KeptVerification; details: KeptDetails; requestId: string };

/** Saves the draft; the audit log contains the names of the fields, not their values. */
async function storeDraft(tx: PrismaTransaction, merchant: LockedMerchant, { current, details, requestId }: Draft) {
  const state = stateAfter(current.state, "save");
  await audit(tx, merchant, { action: "verification.saved", detail: { fields: Object.keys(details) }, requestId });
  return changeVerification(tx, merchant, current, { state, details });
}

function audit(
  tx: PrismaTransaction,
  { id: merchantId }: LockedMerchant,
  entry: { action: string; detail?: object; requestId: string },
) {
  return tx.auditEntry.create({ data: { ...entry, merchantId } });
}

function toResponse({ id, name }: { id: string; name: string }, current: KeptVerification): Verification {
  return {
    merchant_id: id,
    merchant_name: name,
    state: current.state,
    details: current.details,
    settlement_account_name: current.settlementAccountName,
    settlement_bank_name: current.settlementBankName,
    reason: current.reason,
    submitted_at: current.submittedAt && instantOf(current.submittedAt),
    decided_at: current.decidedAt && instantOf(current.decidedAt),
  };
}
