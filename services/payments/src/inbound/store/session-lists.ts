import type { MerchantScope, SessionStatus } from "@collect/contracts";
import { rowsOf } from "@collect/database";
import { type Page, within } from "../../domain/page.ts";
import type { Prisma, PrismaClient } from "../../store/prisma.ts";
import type { PaymentSession } from "../domain/session.ts";

/** Session lists for the dashboard. */

export type SessionFilter = {
  /** Any status if undefined. */
  status: SessionStatus | undefined;
  customerReference: string | undefined;
  paymentLink: string | undefined;
  search: string | undefined;
};

/** A page of a merchant's sessions. */
export async function listSessions(
  prisma: PrismaClient,
  { id: merchantId, mode }: MerchantScope,
  { page, filter: { search, ...filter } }: { page: Page; filter: SessionFilter },
): Promise<PaymentSession[]> {
  const found = await prisma.paymentSession.findMany({
    where: {
      ...{ merchantId, mode, ...filter },
      createdAt: within(page),
      OR: [{ createdAt: { lt: page.before } }, { reference: { lt: page.key } }],
      AND: named(search),
    },
    orderBy: [{ createdAt: "desc" }, { reference: "desc" }],
    take: page.limit,
  });
  return rowsOf<PaymentSession>(found);
}

/** By our reference or the merchant's. The conditions name `openedBy` because each value has its own index. */
const named = (search: string | undefined): Prisma.PaymentSessionWhereInput =>
  search === undefined
    ? {}
    : {
        OR: [
          { reference: search },
          { openedBy: "secret_key", merchantReference: search },
          { openedBy: "public_key", merchantReference: search },
        ],
      };
