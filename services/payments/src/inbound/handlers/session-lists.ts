import { answer, type Request } from "@collect/bus";
import { browsePayments, isReferenceOf, type Payment, Problem, showPayment, toPage } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { pageAsked } from "../../domain/page.ts";
import type { PrismaClient } from "../../store/prisma.ts";
import type { PaymentSession } from "../domain/session.ts";
import { paymentOf } from "../domain/session-view.ts";
import { listSessions } from "../store/session-lists.ts";
import { findPaymentOf } from "../store/sessions.ts";
import type { SessionConfig } from "../use-cases/create-session.ts";

type Deps = { config: SessionConfig; prisma: PrismaClient; lists: Pool };

/** Sessions as a merchant's people look at them. */
export function sessionLists({ config, prisma, lists }: Deps): Request[] {
  return [
    answer(browsePayments, async ({ merchant, limit, status, customer_reference, payment_link, search, ...asked }) => {
      const page = pageAsked({ limit, ...asked });
      const filter = {
        status: status === "all" ? undefined : status,
        customerReference: customer_reference,
        paymentLink: payment_link,
        search,
      };
      const rows = await listSessions(prisma, merchant, { page, filter });
      return toPage(rows, {
        limit,
        place: ({ createdAt, reference }) => [createdAt, reference],
        show: (session) => listed(session, config.CHECKOUT_URL),
      });
    }),

    answer(showPayment, async ({ merchant, reference }) => {
      const found = isReferenceOf("pay", reference) ? await findPaymentOf(lists, merchant, reference) : undefined;
      if (!found) throw new Problem("not_found", "There is no such payment.");
      const { session, collections } = found;
      const { payerName, payerEmail, sentAt, watchUntil } = session;
      return {
        payment: paymentOf(session, collections, config.CHECKOUT_URL),
        payer: payerName === null || payerEmail === null ? null : { name: payerName, email: payerEmail },
        sent_at: sentAt,
        watch_until: watchUntil,
      };
    }),
  ];
}

function listed(session: PaymentSession, checkoutUrl: string): Omit<Payment, "collections" | "collects"> {
  const { collections: _, collects: __, ...payment } = paymentOf(session, [], checkoutUrl);
  return payment;
}
