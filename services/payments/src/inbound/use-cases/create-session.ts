import { randomBytes, randomInt } from "node:crypto";
import type { Bus, Epochs } from "@collect/bus";
import {
  type Input,
  issueCollectionAccount,
  issueCustomerAccount,
  type Merchant,
  type openPayment,
  Problem,
  referenceOf,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Config } from "../../config.ts";
import type { Announce } from "../adapters/announcements.ts";
import { validRedirectUrl } from "../domain/redirect-url.ts";
import { AMOUNT_MAX, aboveLimit, type PaymentSession } from "../domain/session.ts";
import {
  type Account,
  type Attempt,
  addCollectionAccount,
  type NewSession,
  releaseSlots,
  takeOverSlot,
  tryToCreate,
} from "../store/create-session.ts";

export type SessionConfig = Pick<
  Config,
  | "CHECKOUT_URL"
  | "SESSION_EXPIRY_S"
  | "SENT_EXTENSION_S"
  | "WATCH_COLLECTION_S"
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
  /** Requests in flight for accounts of merchants' pools. */
  inFlight: Map<string, Promise<void>>;
};

/** The input from which a session is created, whichever request it came with. */
export type Order = Input<typeof openPayment> &
  Pick<PaymentSession, "openedBy"> & {
    /** The payer, if known with the order. */
    payer?: { name: string; email: string };
    link?: { slug: string; key: string };
  };

/** One attempt to create a session, which commits or leaves nothing behind. */
export type AttemptOnce = (pool: Pool, session: NewSession) => Promise<Attempt>;

export type CreateSession = (
  order: Order,
  requestId: string,
  attemptOnce?: AttemptOnce,
) => Promise<{ session: PaymentSession; created: boolean }>;

/**
 * An attempt fails only when a concurrent one created a session, or when an account is full: only heavy contention
 * fails this many.
 */
const ATTEMPTS_MAX = 50;

export function createSessions(given: Omit<Deps, "inFlight">): CreateSession {
  const deps: Deps = { ...given, inFlight: new Map() };
  return async (order, requestId, attemptOnce = tryToCreate) => {
    // The session of this order may be one that was lost and is not restored yet.
    deps.epochs.assertCurrent();
    return create(deps, { order, requestId, attemptOnce });
  };
}

/**
 * Creates the session, or finds the one with the same merchant reference. An account is requested only when the
 * session is allowed and no slot is free: a refusal leaves nothing behind. Each attempt is independent; a crash at any
 * point leaves at most an account.
 */
async function create(
  deps: Deps,
  { order, requestId, attemptOnce }: { order: Order; requestId: string; attemptOnce: AttemptOnce },
): Promise<{ session: PaymentSession; created: boolean }> {
  const { config, pool, announce } = deps;
  let customer: IssuedCustomerAccount | undefined;
  let isFull = false;
  for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts++) {
    const attempt = await attemptOnce(pool, draft(config, order, customer));
    switch (attempt.outcome) {
      case "created":
        announce([attempt.session]);
        return { session: attempt.session, created: true };
      case "known":
        return { session: attempt.session, created: false };
      case "over_limit":
        throw aboveLimit(attempt.limit);
      case "raced":
        isFull = false;
        break;
      case "no_free_slot":
        // A slot may have been released between two attempts: a request is refused only if both find none.
        if (isFull) throw new Problem("amount_slots_exhausted", whyFull(order));
        if (order.customer_reference && !customer) customer = await issueForCustomer(deps, order, requestId);
        else isFull = !(await freeSlot(deps, order, attempt.accounts, requestId));
    }
  }
  throw new Problem("service_unavailable", "Too many payments of this amount are being created. Try again.");
}

type IssuedCustomerAccount = Account & { customerName: string };

/** A new reference and a new random start for each attempt: one that lost a race is not repeated unchanged. */
function draft(config: SessionConfig, order: Order, customer: IssuedCustomerAccount | undefined): NewSession {
  const { merchant, customer_reference, customer_name, payer, link } = order;
  return {
    reference: referenceOf("pay", randomBytes(16)),
    merchantId: merchant.id,
    mode: merchant.mode,
    merchantName: merchant.name,
    merchantReference: order.reference ?? null,
    openedBy: order.openedBy,
    paymentLink: link?.slug ?? null,
    linkKey: link?.key ?? null,
    amountRequested: order.amount,
    customerReference: customer_reference ?? null,
    customerName: customer?.customerName ?? customer_name ?? null,
    payerName: payer?.name ?? null,
    payerEmail: payer?.email ?? null,
    detailsRequired: !payer && customer_reference === undefined && customer_name === undefined,
    description: order.description || null,
    redirectUrl: validRedirectUrl(order.redirect_url),
    account: customer,
    amountLimit: config.AMOUNT_LIMIT,
    amountMax: AMOUNT_MAX,
    expiryS: config.SESSION_EXPIRY_S,
    watchS: customer_reference === undefined ? config.WATCH_COLLECTION_S : config.WATCH_CUSTOMER_S,
    slotPauseS: config.SLOT_PAUSE_S,
    start: randomInt(99),
  };
}

/** The customer's own account, which is issued now if the customer reference is new. */
async function issueForCustomer({ bus }: Deps, order: Order, requestId: string): Promise<IssuedCustomerAccount> {
  const { merchant, customer_reference = "", customer_name } = order;
  const { account } = await bus.request(
    issueCustomerAccount,
    { merchant, customer_reference, customer_name },
    requestId,
  );
  if (account.status === "retired")
    throw new Problem("account_retired", "The customer account is retired and cannot receive new payments.");
  return {
    accountNumber: account.account_number,
    accountName: account.account_name,
    bankName: account.bank_name,
    customerName: account.customer_name,
  };
}

/**
 * Every slot of this amount is taken: releases those past their watch window, or else adds an account, or takes over
 * the slot of a closed session. Returns whether a slot may be free now.
 */
async function freeSlot(deps: Deps, order: Order, accounts: string[], requestId: string): Promise<boolean> {
  const { pool, announce } = deps;
  const slot = { mode: order.merchant.mode, amountRequested: order.amount };
  if ((await releaseSlots(pool, { ...slot, accounts })) > 0) return true;
  if (order.customer_reference === undefined) {
    if (accounts.length >= poolMax(deps.config, order.openedBy)) return false;
    await addToPool(deps, order.merchant, accounts.length + 1, requestId);
    return true;
  }
  const closed = await takeOverSlot(pool, {
    ...slot,
    accountNumber: accounts[0] ?? "",
    slotPauseS: deps.config.SLOT_PAUSE_S,
  });
  if (closed) announce([closed]);
  return closed !== undefined;
}

const whyFull = ({ customer_reference }: Order): string =>
  customer_reference === undefined
    ? "Too many payments of this amount are open. Try again later."
    : "99 payments of this amount are open on the customer's account.";

/** The maximum size of the pool: public keys and links, which anyone can use, may add only a few accounts. */
const poolMax = (config: SessionConfig, openedBy: Order["openedBy"]): number =>
  openedBy === "secret_key" ? config.COLLECTION_ACCOUNTS_MAX : config.PUBLIC_COLLECTION_ACCOUNTS_MAX;

/** The next account of the merchant's pool. Concurrent callers share one request. */
function addToPool(deps: Deps, merchant: Merchant, position: number, requestId: string): Promise<void> {
  const key = `${merchant.mode} ${merchant.id} ${position}`;
  const request =
    deps.inFlight.get(key) ??
    issueForPool(deps, merchant, position, requestId).finally(() => deps.inFlight.delete(key));
  deps.inFlight.set(key, request);
  return request;
}

async function issueForPool(
  { pool, bus }: Deps,
  merchant: Merchant,
  position: number,
  requestId: string,
): Promise<void> {
  const issued = await bus.request(issueCollectionAccount, { merchant, position }, requestId);
  await addCollectionAccount(pool, merchant, {
    position,
    accountNumber: issued.account_number,
    accountName: issued.account_name,
    bankName: issued.bank_name,
  });
}
