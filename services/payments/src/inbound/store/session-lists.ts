import type { MerchantScope, SessionStatus } from "@collect/contracts";
import { rowsOf } from "@collect/database";
import { type Page, type Span, within } from "../../domain/page.ts";
import { type Prisma, type PrismaClient, SUMMED_MAX } from "../../store/prisma.ts";
import type { PaymentSession } from "../domain/session.ts";

/** Session lists, for merchants' servers and the dashboard. */

export type SessionFilter = Partial<{
  /** Any status if undefined. */
  status: SessionStatus | undefined;
  customerReference: string | undefined;
  merchantReference: string | undefined;
  paymentLink: string | undefined;
  /** Both included. */
  amountFrom: bigint | undefined;
  amountTo: bigint | undefined;
  references: string[] | undefined;
  /** The references of what was searched for. */
  searched: string[] | undefined;
  /** Those that were paid, and then exactly once more. */
  isPaidTwice: boolean | undefined;
}>;

/** A page of a merchant's sessions. */
export async function listSessions(
  prisma: PrismaClient,
  { id: merchantId, mode }: MerchantScope,
  { page, filter }: { page: Page; filter: SessionFilter },
): Promise<PaymentSession[]> {
  const found = await prisma.paymentSession.findMany({
    where: {
      ...{ merchantId, mode, ...matching(prisma, filter) },
      createdAt: within(page),
      OR: [{ createdAt: { lt: page.before } }, { reference: { lt: page.key } }],
    },
    orderBy: [{ createdAt: "desc" }, { reference: "desc" }],
    take: page.limit,
  });
  return rowsOf<PaymentSession>(found);
}

/** Whether the session is this merchant's, in this mode. */
export async function isSessionOf(
  prisma: PrismaClient,
  { id: merchantId, mode }: MerchantScope,
  reference: string,
): Promise<boolean> {
  return (await prisma.paymentSession.count({ where: { reference, merchantId, mode } })) > 0;
}

/** What a list of sessions comes to; undefined if it is longer than what is summed. */
export async function sumSessions(
  prisma: PrismaClient,
  { id: merchantId, mode }: MerchantScope,
  { span, filter }: { span: Span; filter: SessionFilter },
): Promise<{ count: number; amount: bigint; amountReceived: bigint } | undefined> {
  const { _count: count, _sum } = await prisma.paymentSession.aggregate({
    where: { merchantId, mode, ...matching(prisma, filter), createdAt: { gte: span.from, lt: span.before } },
    take: SUMMED_MAX + 1,
    _count: true,
    _sum: { amount: true, amountReceived: true },
  });
  const { amount, amountReceived } = _sum;
  return count > SUMMED_MAX ? undefined : { count, amount: amount ?? 0n, amountReceived: amountReceived ?? 0n };
}

/** As the condition of their index says it. */
const paidTwice = ({ paymentSession: { fields } }: PrismaClient): Prisma.PaymentSessionWhereInput => ({
  amountReceived: { gt: fields.amount },
  status: { not: "overpaid" },
});

function matching(prisma: PrismaClient, filter: SessionFilter): Prisma.PaymentSessionWhereInput {
  const { amountFrom, amountTo, references, searched, merchantReference, isPaidTwice, ...others } = filter;
  return {
    ...others,
    amount: { gte: amountFrom, lte: amountTo },
    reference: references && { in: references },
    AND: [
      searched ? { reference: { in: searched } } : {},
      merchantReference === undefined ? {} : { OR: withReference(merchantReference) },
      isPaidTwice ? paidTwice(prisma) : {},
    ],
  };
}

/** The conditions name `openedBy` because each value has its own index. */
const withReference = (merchantReference: string): Prisma.PaymentSessionWhereInput[] => [
  { openedBy: "secret_key", merchantReference },
  { openedBy: "public_key", merchantReference },
];
