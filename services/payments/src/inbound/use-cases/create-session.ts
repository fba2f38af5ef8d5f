import { randomBytes, randomInt } from "node:crypto";
import type { Bus, Epochs, Standings } from "@collect/bus";
import {
  type Input,
  issueAccountWithinLimit,
  type openPayment,
  Problem,
  type RequestContext,
  referenceOf,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Config } from "../../config.ts";
import type { Announce } from "../adapters/announcements.ts";
import { clientShare, shareSpent } from "../domain/client-share.ts";
import { validRedirectUrl } from "../domain/redirect-url.ts";
import { AMOUNT_MAX, aboveLimit, type PaymentSession } from "../domain/session.ts";
import { type Attempt, type NewSession, tryToCreate } from "../store/create-session.ts";
import type { Account } from "../store/slots.ts";
import type { FreeSlots } from "./free-slots.ts";

export type SessionConfig = Pick<
  Config,
  | "CHECKOUT_URL"
  | "SESSION_EXPIRY_S"
  | "SENT_EXTENSION_S"
  | "WATCH_COLLECTION_S"
  | "WATCH_PUBLIC_S"
  | "WATCH_CUSTOMER_S"
  | "SLOT_PAUSE_S"
  | "AMOUNT_LIMIT"
  | "COLLECTION_ACCOUNTS_MAX"
  | "PUBLIC_COLLECTION_ACCOUNTS_MAX"
>;
type Deps = {
  epochs: Epochs;
  config: SessionConfig;
  pool: Pool;
  bus: Bus;
  announce: Announce;
  freeSlots: FreeSlots;
  standings: Pick<Standings, "refusal">;
};

/** The input from which a session is created, whichever request it came with. */
export type Order = Input<typeof openPayment> &
  Pick<PaymentSession, "openedBy"> & {
    /** The payer, if known with the order. */
    payer?: { name: string; email: string };
    link?: { slug: string; key: string };
    /** The tag of a client that pays through a link. */
    client?: string;
    clientNonce?: string;
  };

/** One attempt to create a session, which commits or leaves nothing behind. */
export type AttemptOnce = (pool: Pool, session: NewSession) => Promise<Attempt>;

export type CreateSession = (
  order: Order,
  context: RequestContext,
  attemptOnce?: AttemptOnce,
) => Promise<{ session: PaymentSession; created: boolean }>;

/**
 * An attempt fails only when a concurrent one created a session, or when an account is full: only heavy contention
 * fails this many.
 */
const ATTEMPTS_MAX = 50;

export function createSessions(deps: Deps): CreateSession {
  return async (order, context, attemptOnce = tryToCreate) => {
    // The session of this order may be one that was lost and is not restored yet.
    deps.epochs.assertCurrent();
    const refused = await deps.standings.refusal(order.merchant);
    return create(deps, { order, context, attemptOnce, refused });
  };
}

type Creation = {
  order: Order;
  context: RequestContext;
  attemptOnce: AttemptOnce;
  /** Why the merchant may create nothing now. What it has created is found all the same. */
  refused: Problem | undefined;
};

/**
 * Creates the session, or finds the one with the same merchant reference. An account is requested only when the
 * session is allowed and no slot is free: a refusal leaves nothing behind. Each attempt is independent; a crash at any
 * point leaves at most an account.
 */
async function create(
  deps: Deps,
  { order, context, attemptOnce, refused }: Creation,
): Promise<{ session: PaymentSession; created: boolean }> {
  const { config, pool, announce } = deps;
  let customer: IssuedCustomerAccount | undefined;
  let isFull = false;
  for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts++) {
    const attempt = await attemptOnce(pool, { ...draft(config, order, customer), mayCreate: !refused });
    switch (attempt.outcome) {
      case "created":
        announce([attempt.session]);
        return { session: attempt.session, created: true };
      case "known":
        return { session: attempt.session, created: false };
      case "not_allowed":
        throw refused ?? new Error("an allowed session was refused");
      case "over_limit":
        throw aboveLimit(attempt.limit);
      case "share_spent":
        throw shareSpent();
      case "raced":
        isFull = false;
        break;
      case "no_free_slot":
        // A slot may have been released between two attempts: a request is refused only if both find none.
        if (isFull) throw new Problem("amount_slots_exhausted", whyFull(order));
        if (order.customer_reference && !customer) customer = await issueForCustomer(deps, order, context);
        else isFull = !(await deps.freeSlots({ ...fullOf(order), accounts: attempt.accounts }, context));
    }
  }
  throw new Problem("service_unavailable", "Too many payments of this amount are being created. Try again.");
}

type IssuedCustomerAccount = Account & { customerName: string };

/** A new reference and a new random start for each attempt: one that lost a race is not repeated unchanged. */
function draft(
  config: SessionConfig,
  order: Order,
  customer: IssuedCustomerAccount | undefined,
): Omit<NewSession, "mayCreate"> {
  const { merchant, customer_reference, customer_name, payer, link, clientNonce } = order;
  return {
    reference: referenceOf("pay", randomBytes(16)),
    merchantId: merchant.id,
    mode: merchant.mode,
    merchantName: merchant.name,
    merchantReference: order.reference ?? null,
    openedBy: order.openedBy,
    paymentLink: link?.slug ?? null,
    linkKey: link?.key ?? null,
    clientNonce: clientNonce ?? null,
    amountRequested: order.amount,
    customerReference: customer_reference ?? null,
    customerName: customer?.customerName ?? customer_name ?? null,
    payerName: payer?.name ?? null,
    payerEmail: payer?.email ?? null,
    detailsRequired: !payer && customer_reference === undefined && customer_name === undefined,
    description: order.description || null,
    redirectUrl: validRedirectUrl(order.redirect_url),
    metadata: order.metadata ?? {},
    account: customer,
    amountLimit: config.AMOUNT_LIMIT,
    amountMax: AMOUNT_MAX,
    expiryS: config.SESSION_EXPIRY_S,
    watchS: watchOf(config, order),
    slotPauseS: config.SLOT_PAUSE_S,
    start: randomInt(99),
    client: order.client ?? null,
    shareMax: clientShare(config.PUBLIC_COLLECTION_ACCOUNTS_MAX),
  };
}

/** A payer of a link, whom nobody vouches for, holds an unpaid slot for less time than one whom the merchant sent. */
function watchOf(config: SessionConfig, { customer_reference, openedBy }: Order): number {
  if (customer_reference !== undefined) return config.WATCH_CUSTOMER_S;
  return openedBy === "secret_key" ? config.WATCH_COLLECTION_S : config.WATCH_PUBLIC_S;
}

/** The customer's own account, which is issued now if the customer reference is new. */
async function issueForCustomer({ bus }: Deps, order: Order, context: RequestContext): Promise<IssuedCustomerAccount> {
  const { merchant, customer_reference = "", customer_name } = order;
  const wanted = { merchant, customer_reference, customer_name };
  const { account } = await bus.request(issueAccountWithinLimit, wanted, context);
  if (account.status === "retired")
    throw new Problem("account_retired", "The customer account is retired and cannot receive new payments.");
  return {
    accountNumber: account.account_number,
    accountName: account.account_name,
    bankName: account.bank_name,
    customerName: account.customer_name,
  };
}

const fullOf = ({ merchant, amount, openedBy, customer_reference }: Order) => ({
  ...{ merchant, amount, openedBy },
  isCustomerAccount: customer_reference !== undefined,
});

const whyFull = ({ customer_reference }: Order): string =>
  customer_reference === undefined
    ? "Too many payments of this amount are open. Try again later."
    : "99 payments of this amount are open on the customer's account.";
