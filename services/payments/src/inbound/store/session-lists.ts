import type { MerchantScope, SessionStatus } from "@collect/contracts";
import { rowsOf } from "@collect/database";
import { type Page, within } from "../../domain/page.ts";
import type { Prisma, PrismaClient } from "../../store/prisma.ts";
import type { PaymentSession } from "../domain/session.ts";

/** Session lists, for merchants' servers and the dashboard. */

export type SessionFilter = Partial<{
  /** Any status if undefined. */
  status: SessionStatus | undefined;
  customerReference: string | undefined;
  merchantReference: string | undefined;
  paymentLink: string | undefined;
  search: string | undefined;
  /** Those that were paid, and then exactly once more. */
  isPaidTwice: boolean | undefined;
}>;

/** A page of a merchant's sessions. */
export async function listSessions(
  prisma: PrismaClient,
  { id: merchantId, mode }: MerchantScope,
  { page, filter: { search, merchantReference, isPaidTwice, ...filter } }: { page: Page; filter: SessionFilter },
): Promise<PaymentSession[]> {
  const found = await prisma.paymentSession.findMany({
    where: {
      ...{ merchantId, mode, ...filter },
      createdAt: within(page),
      OR: [{ createdAt: { lt: page.before } }, { reference: { lt: page.key } }],
      AND: [named(search), ofOrder(merchantReference), isPaidTwice ? paidTwice(prisma) : {}],
    },
    orderBy: [{ createdAt: "desc" }, { reference: "desc" }],
    take: page.limit,
  });
  return rowsOf<PaymentSession>(found);
}

/** As the condition of their index says it. */
const paidTwice = ({ paymentSession: { fields } }: PrismaClient): Prisma.PaymentSessionWhereInput => ({
  amountReceived: { gt: fields.amount },
  status: { not: "overpaid" },
});

/** By our reference or the merchant's. */
const named = (search: string | undefined): Prisma.PaymentSessionWhereInput =>
  search === undefined ? {} : { OR: [{ reference: search }, ...withReference(search)] };

const ofOrder = (reference: string | undefined): Prisma.PaymentSessionWhereInput =>
  reference === undefined ? {} : { OR: withReference(reference) };

/** The conditions name `openedBy` because each value has its own index. */
const withReference = (merchantReference: string): Prisma.PaymentSessionWhereInput[] => [
  { openedBy: "secret_key", merchantReference },
  { openedBy: "public_key", merchantReference },
];
