import { KeptDetails, VERIFICATION_STATES } from "@collect/contracts";
import { z } from "zod";
import type { ImitatedBanks } from "../domain/name-skeleton.ts";
import { assertNameIsMeant, type Enquiries, type VerificationState } from "../domain/verification.ts";
import type { LockedMerchant, PrismaClient, PrismaTransaction } from "./prisma.ts";
import { imitatedBy, lockProtectedNames, protectNames } from "./protected-names.ts";

/** A merchant's current verification. */
export type KeptVerification = Enquiries & {
  state: VerificationState;
  details: KeptDetails;
  settlementAccountName: string | null;
  settlementBankName: string | null;
  reason: string | null;
  submittedAt: Date | null;
  decidedAt: Date | null;
  /** Null before the merchant has started it. */
  stateSince: Date | null;
};

type Row = Omit<KeptVerification, "state" | "details"> & { state: string; details: unknown };

const NOT_BEGUN: Row = {
  state: "draft",
  details: {},
  settlementAccountName: null,
  settlementBankName: null,
  reason: null,
  submittedAt: null,
  decidedAt: null,
  enquiries: 0,
  enquiriesSince: null,
  stateSince: null,
};
const State = z.enum(VERIFICATION_STATES);

/** The current verification: an empty draft before the merchant has started it, and approved once the merchant is verified, by an approval or by the operator's `verify`. */
export function standing(row: Row | null, verifiedAt: Date | null): KeptVerification {
  const found = row ?? NOT_BEGUN;
  const current = { ...found, details: KeptDetails.parse(found.details), state: State.parse(found.state) };
  return verifiedAt ? { ...current, state: "approved", reason: null, decidedAt: verifiedAt } : current;
}

export async function readVerification(
  tx: PrismaTransaction,
  { id, verified_at }: LockedMerchant,
): Promise<KeptVerification> {
  return standing(await tx.merchantVerification.findUnique({ where: { merchantId: id } }), verified_at);
}

/** Updates it. The merchant's row is locked, so there is no concurrent change. */
export async function changeVerification(
  tx: PrismaTransaction,
  { id: merchantId, now }: LockedMerchant,
  current: KeptVerification,
  change: Partial<KeptVerification> & { state: VerificationState },
): Promise<KeptVerification> {
  const stateSince = change.state === current.state && current.stateSince ? current.stateSince : now;
  const changed = { ...current, ...change, stateSince };
  await tx.merchantVerification.upsert({
    where: { merchantId },
    create: { ...changed, merchantId },
    update: changed,
  });
  return changed;
}

/** The names that payers and other merchants see or may know the business by. */
export function namesOf(name: string, details: unknown): string[] {
  const { registered_name } = KeptDetails.parse(details ?? {});
  return registered_name === undefined ? [name] : [name, registered_name];
}

type Approval = { banks: ImitatedBanks; despiteName: boolean };

/**
 * The only place where a merchant becomes verified. From then on its names are protected; of two approvals at once, the second sees
 * those of the first.
 */
export async function approve(
  tx: PrismaTransaction,
  merchant: LockedMerchant,
  { banks, despiteName }: Approval,
): Promise<KeptVerification> {
  const { id, now } = merchant;
  const current = await readVerification(tx, merchant);
  await lockProtectedNames(tx);
  const named = { id, names: namesOf(merchant.name, current.details) };
  const imitates = (await imitatedBy(tx, banks, [named])).get(id) ?? [];
  assertNameIsMeant(imitates, despiteName);
  await protectNames(tx, named);
  await tx.merchant.update({ where: { id }, data: { verifiedAt: now } });
  return changeVerification(tx, merchant, current, { state: "approved", reason: null, decidedAt: now });
}

/** The verifications in a state, oldest first. Merchants that the previous release verified are not pending. */
export async function listVerifications(prisma: PrismaClient, state: VerificationState, max: number) {
  return prisma.merchantVerification.findMany({
    where: { state, ...(state !== "approved" && { merchant: { verifiedAt: null } }) },
    include: { merchant: true },
    orderBy: [{ stateSince: "asc" }, { merchantId: "asc" }],
    take: max,
  });
}

/** The verifications decided since a time, oldest first, after the given one. */
export async function listDecided(
  prisma: PrismaClient,
  page: { since: Date; after: { decidedAt: Date; merchantId: string } | null; max: number },
) {
  const { since, after, max } = page;
  const rows = await prisma.merchantVerification.findMany({
    where: {
      decidedAt: { gte: after?.decidedAt ?? since },
      ...(after && {
        OR: [
          { decidedAt: { gt: after.decidedAt } },
          { decidedAt: after.decidedAt, merchantId: { gt: after.merchantId } },
        ],
      }),
    },
    orderBy: [{ decidedAt: "asc" }, { merchantId: "asc" }],
    take: max,
  });
  return rows.flatMap(({ decidedAt, ...row }) => (decidedAt ? [{ ...row, decidedAt }] : []));
}
