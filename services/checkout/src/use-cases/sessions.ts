import type { Bus } from "@collect/bus";
import {
  givePayerDetails,
  type Merchant,
  notFound,
  type OpenCheckout,
  openPublicPayment,
  type PayerDetails,
  type RequestContext,
  reportSent,
  SessionSnapshot,
  toNotFound,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { naira } from "@collect/money";
import type { z } from "zod";
import { isStale } from "../domain/freshness.ts";
import { isReference } from "../domain/reference.ts";
import type { CreatedSession } from "../domain/view.ts";
import { findCopy, refreshSnapshots } from "../store/session-views.ts";
import type { Brandings } from "./brandings.ts";
import type { Client, Gate } from "./gate.ts";
import type { Refresher } from "./refresher.ts";

type Deps = { pool: Pool; bus: Bus; refresher: Refresher; brandings: Brandings; gate: Gate };
/** The HTTP call that an operation belongs to. */
export type Call = { context: RequestContext; client: Client };
export type Sessions = ReturnType<typeof createSessions>;

/** Operations of payers on sessions, shared by the public API, the pages and the requests of the gateway. */
export function createSessions({ pool, bus, refresher, brandings, gate }: Deps) {
  /** Returns a possibly stale copy at once, and requests a refresh for the next read. */
  async function find(reference: string): Promise<SessionSnapshot> {
    if (!isReference(reference) || refresher.isMissing(reference)) throw notFound();
    const copy = await findCopy(pool, reference);
    if (!copy) return (await refresher.fetch(reference)).snapshot;
    if (isStale(copy, { now: new Date(), listeningSince: bus.connectedSince() })) refresher.requestRefresh(reference);
    return copy.snapshot;
  }

  /** Caches a response of payments for later reads; an event may have stored a newer version. */
  async function cache(input: z.input<typeof SessionSnapshot>): Promise<SessionSnapshot> {
    const session = SessionSnapshot.parse(input);
    const [copy] = await refreshSnapshots(pool, [session]);
    return copy?.snapshot ?? session;
  }

  return {
    find,
    cache,

    /** For a page, which shows how the merchant presents itself. */
    findBranded: async (reference: string) => brandings.brand(await find(reference), refresher.requestRefresh),

    /** Looked up in the read model first, so that guessed references do not reach payments one by one. */
    async giveDetails(reference: string, details: z.output<typeof PayerDetails>, { context, client }: Call) {
      const { merchant, hasAccount } = await find(reference);
      const { name, email } = details;
      const fields = { reference, name, email };
      const taker = hasAccount === false ? { client: await gate({ action: "slot", merchant }, client) } : {};
      return cache(await bus.request(givePayerDetails, { ...fields, ...taker }, context).catch(toNotFound));
    },

    async reportSent(reference: string, context: RequestContext) {
      await find(reference);
      return cache(await bus.request(reportSent, { reference }, context).catch(toNotFound));
    },

    async create(
      merchant: Merchant,
      fields: z.output<typeof OpenCheckout>,
      { context, client }: Call,
    ): Promise<CreatedSession> {
      await gate({ action: "open", merchant }, client);
      const { amount, reference, description, redirect_url, client_nonce } = fields;
      const response = await bus.request(
        openPublicPayment,
        { merchant, amount: naira(amount), reference, description, redirect_url, client_nonce },
        context,
      );
      return {
        session: await cache(response.session),
        checkoutUrl: response.checkout_url,
        merchantReference: response.merchant_reference,
        warnings: response.warnings,
        created: response.created,
      };
    },
  };
}
