import { answer, type Epochs, type Request } from "@collect/bus";
import {
  cancelPayment,
  cursorPageOf,
  findOpenedPayment,
  foreignCursor,
  listPayments,
  type MerchantScope,
  notFound,
  type Payment,
  Problem,
  toPage,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { requestedPage } from "../../domain/page.ts";
import type { PrismaClient } from "../../store/prisma.ts";
import type { Announce } from "../adapters/announcements.ts";
import { endedNow, type PaymentSession } from "../domain/session.ts";
import { createdPaymentOf, paymentOf } from "../domain/session-view.ts";
import { isSessionOf, listSessions } from "../store/session-lists.ts";
import { changeSession, findPaymentsOf, findOpenedPayment as readOpenedPayment } from "../store/sessions.ts";

type Deps = {
  config: { CHECKOUT_URL: string };
  pool: Pool;
  lists: Pool;
  prisma: PrismaClient;
  announce: Announce;
  epochs: Pick<Epochs, "assertCurrent">;
};

/** Sessions, as merchants' servers find, list and cancel them. */
export function paymentsByKey({ config, pool, lists, prisma, announce, epochs }: Deps): Request[] {
  async function shown(merchant: MerchantScope, references: string[]): Promise<Payment[]> {
    const found = await findPaymentsOf(lists, merchant, references);
    return found.map(({ session, collections }) => paymentOf(session, collections, config.CHECKOUT_URL));
  }

  return [
    answer(listPayments, async ({ merchant, limit, after, created_from, created_to, status, ...filters }) => {
      // A restored list lacks rows for a while: a merchant that reads on from here would miss them.
      epochs.assertCurrent();
      const page = requestedPage("pay_", { limit, after, from: created_from, before: created_to });
      if (page.key && !(await isSessionOf(prisma, merchant, page.key))) throw foreignCursor();
      const filter = {
        status: status === "all" ? undefined : status,
        customerReference: filters.customer_reference,
        merchantReference: filters.merchant_reference,
      };
      const rows = await listSessions(prisma, merchant, { page, filter });
      const cursor = ({ createdAt, reference }: PaymentSession) => [createdAt, reference];
      const { data, next } = toPage(rows, { limit, cursor, toResponse: ({ reference }) => reference });
      return cursorPageOf({ data: await shown(merchant, data), next }, { limit, mode: merchant.mode });
    }),

    answer(findOpenedPayment, async ({ merchant, reference }) => {
      const found = await readOpenedPayment(pool, merchant, reference);
      if (found) return createdPaymentOf(found.session, found.collections, config.CHECKOUT_URL);
      epochs.assertCurrent();
      throw notFound();
    }),

    answer(cancelPayment, async ({ merchant, reference }) => {
      // A restored session may have been paid: a change of it would look newer than its copy.
      epochs.assertCurrent();
      const cancelled = await changeSession(pool, reference, (session) => {
        if (session.merchantId !== merchant.id || session.mode !== merchant.mode) return undefined;
        if (session.status === "pending") return endedNow(session);
        if (session.status === "expired") return undefined;
        throw notCancellable(session);
      });
      if (cancelled?.isChanged) announce([cancelled.session]);
      const [payment] = await shown(merchant, [reference]);
      if (payment) return payment;
      throw notFound();
    }),
  ];
}

function notCancellable({ status }: PaymentSession): Problem {
  const why = status === "processing" ? "Its payer has reported the transfer as sent" : "Money was received for it";
  return new Problem("not_cancellable", `${why}: it is ${status}.`);
}
