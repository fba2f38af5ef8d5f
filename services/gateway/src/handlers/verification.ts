import type { Bus } from "@collect/bus";
import { answer, type Request } from "@collect/bus";
import {
  type BusinessDetails,
  DECISIONS_A_PAGE,
  decideVerification,
  findImitations,
  getVerification,
  type Input,
  instantOf,
  type KeptDetails,
  listDecisions,
  listVerifications,
  type RequestContext,
  resolveSettlementAccount,
  saveVerification,
  submitVerification,
  type Verification,
} from "@collect/contracts";
import type { z } from "zod";
import type { ImitatedBanks } from "../domain/name-skeleton.ts";
import { aboutWhatWasSeen, afterEnquiry, reasonOf, stateAfter } from "../domain/verification.ts";
import { changingMerchant, noSuchMerchant } from "../store/merchants.ts";
import type { LockedMerchant, PrismaClient, PrismaTransaction } from "../store/prisma.ts";
import { imitatedBy } from "../store/protected-names.ts";
import {
  approve,
  changeVerification,
  type KeptVerification,
  listVerifications as list,
  listDecided,
  namesOf,
  readVerification,
  standing,
} from "../store/verifications.ts";

const LISTED_MAX = 100;
type Deps = { prisma: PrismaClient; bus: Bus; banks: ImitatedBanks };

export function verificationRequests({ prisma, bus, banks }: Deps): Request[] {
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
    answer(listDecisions, async ({ since, after }) => {
      const last = after && { decidedAt: new Date(after.decided_at), merchantId: after.merchant_id };
      const rows = await listDecided(prisma, { since: new Date(since), after: last, max: DECISIONS_A_PAGE });
      return {
        decisions: rows.map(({ merchantId, state, decidedAt, reason }) => ({
          merchant_id: merchantId,
          decided_at: instantOf(decidedAt),
          approved: state === "approved",
          reason,
        })),
      };
    }),
    answer(findImitations, async ({ merchant_ids }) => {
      const merchants = await prisma.merchant.findMany({
        where: { id: { in: merchant_ids } },
        include: { verification: true },
        orderBy: { id: "asc" },
      });
      const named = merchants.map(({ id, name, verification }) => ({
        id,
        names: namesOf(name, verification?.details),
      }));
      const imitated = await imitatedBy(prisma, banks, named);
      return { imitations: named.map(({ id }) => ({ merchant_id: id, names: imitated.get(id) ?? [] })) };
    }),
    answer(saveVerification, ({ merchant_id, details }) =>
      changingMerchant(prisma, merchant_id, async (tx, merchant) => {
        const current = await readVerification(tx, merchant);
        return toResponse(merchant, await storeDraft(tx, merchant, { current, details }));
      }),
    ),
    answer(submitVerification, (input, context) => submit({ prisma, bus }, input, context)),
    answer(decideVerification, (input) => decide({ prisma, banks }, input)),
  ];
}

type Submission = { merchant_id: string; details: z.output<typeof BusinessDetails> };

/**
 * The details are saved first, so that they are kept whatever the bank responds. The name enquiry runs between two
 * transactions; of two concurrent submissions, the second finds the first one's and is refused.
 */
async function submit(
  { prisma, bus }: Omit<Deps, "banks">,
  { merchant_id, details }: Submission,
  context: RequestContext,
) {
  await changingMerchant(prisma, merchant_id, async (tx, merchant) => {
    const current = await readVerification(tx, merchant);
    stateAfter(current.state, "submit");
    const counted = { ...current, ...afterEnquiry(current, merchant.now) };
    await storeDraft(tx, merchant, { current: counted, details });
  });
  const { settlement_bank_code: bank_code, settlement_account_number: account_number } = details;
  const resolved = await bus.request(resolveSettlementAccount, { bank_code, account_number }, context);
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
    return toResponse(merchant, submitted);
  });
}

type Decision = Input<typeof decideVerification>;

async function decide(
  { prisma, banks }: Omit<Deps, "bus">,
  { merchant_id, submitted_at, despite_name: despiteName, ...given }: Decision,
) {
  const reason = reasonOf(given);
  return changingMerchant(prisma, merchant_id, async (tx, merchant) => {
    const current = await readVerification(tx, merchant);
    const state = stateAfter(current.state, reason === null ? "approve" : "return");
    aboutWhatWasSeen(current.submittedAt, submitted_at);
    if (reason === null) return toResponse(merchant, await approve(tx, merchant, { banks, despiteName }));
    const returned = { state, reason, decidedAt: merchant.now };
    return toResponse(merchant, await changeVerification(tx, merchant, current, returned));
  });
}

type Draft = { current: KeptVerification; details: KeptDetails };

async function storeDraft(tx: PrismaTransaction, merchant: LockedMerchant, { current, details }: Draft) {
  const state = stateAfter(current.state, "save");
  return changeVerification(tx, merchant, current, { state, details });
}

type Described = { id: string; name: string } & (
  | Pick<LockedMerchant, "suspended_at" | "suspension_reason">
  | { suspendedAt: Date | null; suspensionReason: string | null }
);

function toResponse(merchant: Described, current: KeptVerification): Verification {
  const { id, name } = merchant;
  const [since, why] =
    "suspendedAt" in merchant
      ? [merchant.suspendedAt, merchant.suspensionReason]
      : [merchant.suspended_at, merchant.suspension_reason];
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
    suspension: since && { since: instantOf(since), reason: why ?? "" },
  };
}
