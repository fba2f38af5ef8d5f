import type { Bus } from "@collect/bus";
import {
  givePayerDetails,
  type Merchant,
  type OpenCheckout,
  openPublicPayment,
  type PayerDetails,
  Problem,
  reportSent,
  SessionSnapshot,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { naira } from "@collect/money";
import type { z } from "zod";
import { isStale } from "../domain/freshness.ts";
import { isReference, notFound } from "../domain/reference.ts";
import type { CreatedSession } from "../domain/view.ts";
import { findCopy, refreshSnapshots } from "../store/session-views.ts";
import type { Refresher } from "./refresher.ts";

export type Sessions = ReturnType<typeof createSessions>;

/** What payers do with sessions, whichever door they come through: over HTTP, on the page, or from the gateway. */
export function createSessions({ pool, bus, refresher }: { pool: Pool; bus: Bus; refresher: Refresher }) {
  /** A copy that may be old is answered all the same, and read again for whoever asks next. */
  async function find(reference: string): Promise<SessionSnapshot> {
    if (!isReference(reference) || refresher.isMissing(reference)) throw notFound();
    const copy = await findCopy(pool, reference);
    if (!copy) return (await refresher.fetch(reference)).snapshot;
    if (isStale(copy, { now: new Date(), listeningSince: bus.connectedSince() })) refresher.renew(reference);
    return copy.snapshot;
  }

  /** What payments just answered, kept for those who poll; an event may have brought a newer one. */
  async function learn(told: z.input<typeof SessionSnapshot>): Promise<SessionSnapshot> {
    const session = SessionSnapshot.parse(told);
    const [copy] = await refreshSnapshots(pool, [session]);
    return copy?.snapshot ?? session;
  }

  return {
    find,
    learn,

    /** Looked up here first, so that invented references never reach payments one by one. */
    async giveDetails(reference: string, details: z.output<typeof PayerDetails>, requestId: string) {
      await find(reference);
      const { name, email } = details;
      return learn(await bus.request(givePayerDetails, { reference, name, email }, requestId).catch(asOneNotFound));
    },

    async reportSent(reference: string, requestId: string) {
      await find(reference);
      return learn(await bus.request(reportSent, { reference }, requestId).catch(asOneNotFound));
    },

    async create(
      merchant: Merchant,
      fields: z.output<typeof OpenCheckout>,
      requestId: string,
    ): Promise<CreatedSession> {
      const { amount, reference, description, redirect_url } = fields;
      const answered = await bus.request(
        openPublicPayment,
        { merchant, amount: naira(amount), reference, description, redirect_url },
        requestId,
      );
      return {
        session: await learn(answered.session),
        checkoutUrl: answered.checkout_url,
        merchantReference: answered.merchant_reference,
        created: answered.created,
      };
    },
  };
}

/** Malformed, unknown, unknown to payments: one answer, whatever words were used for it. */
function asOneNotFound(error: unknown): never {
  throw error instanceof Problem && error.code === "not_found" ? notFound() : error;
}
