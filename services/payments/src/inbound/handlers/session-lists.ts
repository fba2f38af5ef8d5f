import { answer, type Request } from "@collect/bus";
import {
  browsePayments,
  type Input,
  isReferenceOf,
  type MerchantScope,
  type Payment,
  Problem,
  showPayment,
  sumPayments,
  toPage,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { isStorable, requestedPage, spanOf } from "../../domain/page.ts";
import { soughtInList } from "../../domain/sought.ts";
import type { PrismaClient } from "../../store/prisma.ts";
import type { PaymentSession } from "../domain/session.ts";
import { paymentOf } from "../domain/session-view.ts";
import { searchSessions } from "../store/search.ts";
import { listSessions, type SessionFilter, sumSessions } from "../store/session-lists.ts";
import { findPaymentOf } from "../store/sessions.ts";

type Deps = { config: { CHECKOUT_URL: string }; prisma: PrismaClient; lists: Pool };

/** Session lists for the dashboard. */
export function sessionListRequests({ config, prisma, lists }: Deps): Request[] {
  return [
    answer(browsePayments, async ({ merchant, limit, after, from, before, ...filters }) => {
      const page = requestedPage("pay_", { limit, after, from, before });
      const { filter, isPartial } = await filterOf(lists, merchant, filters);
      const rows = await listSessions(prisma, merchant, { page, filter });
      const shown = toPage(rows, {
        limit,
        cursor: ({ createdAt, reference }) => [createdAt, reference],
        toResponse: (session) => toListItem(session, config.CHECKOUT_URL),
      });
      return { ...shown, is_partial: isPartial };
    }),

    answer(sumPayments, async ({ merchant, from, before, ...filters }) => {
      const { filter } = await filterOf(lists, merchant, filters);
      const sums = await sumSessions(prisma, merchant, { span: spanOf({ from, before }), filter });
      if (!sums) return { totals: null };
      const { count, amount, amountReceived } = sums;
      return { totals: { count, amount, amount_received: amountReceived } };
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

type Filters = Omit<Input<typeof sumPayments>, "merchant" | "from" | "before">;

async function filterOf(
  lists: Pool,
  merchant: MerchantScope,
  { status, search, ...filters }: Filters,
): Promise<{ filter: SessionFilter; isPartial?: boolean }> {
  const filter = {
    status: status === "all" ? undefined : status,
    customerReference: filters.customer_reference,
    paymentLink: filters.payment_link,
    isPaidTwice: filters.paid === "twice",
    amountFrom: filters.amount_from,
    amountTo: filters.amount_to,
    references: filters.references?.filter(isStorable),
  };
  if (search === undefined) return { filter };
  const { keys, isPartial } = await searchSessions(lists, merchant, soughtInList(search));
  return { filter: { ...filter, searched: keys }, isPartial };
}

function toListItem(session: PaymentSession, checkoutUrl: string): Omit<Payment, "collections" | "collects"> {
  const { collections: _, collects: __, ...payment } = paymentOf(session, [], checkoutUrl);
  return payment;
}
