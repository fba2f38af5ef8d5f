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
import { keptRedirectUrl } from "../domain/redirect-url.ts";
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
  /** Accounts of merchants' pools that are being asked for. */
  asking: Map<string, Promise<void>>;
};

/** What a session is created from, whoever asks. */
export type Order = Input<typeof openPayment> &
  Pick<PaymentSession, "openedBy"> & {
    /** Who pays, where that is said with the order. */
    payer?: { name: string; email: string };
    link?: { slug: string; key: string };
  };

/** One try to create a session, which commits or leaves nothing behind. */
export type Try = (pool: Pool, session: NewSession) => Promise<Attempt>;

export type CreateSession = (
  order: Order,
  requestId: string,
  tryOnce?: Try,
) => Promise<{ session: PaymentSession; created: boolean }>;

/** A try is lost only to somebody who created a session, or it finds an account full: it takes a crowd to lose as many. */
const TRIES_MAX = 50;

export function sessionCreator(given: Omit<Deps, "asking">): CreateSession {
  const deps: Deps = { ...given, asking: new Map() };
  return async (order, requestId, tryOnce = tryToCreate) => {
    // The order may be one whose session was lost and is yet to be learned again.
    deps.epochs.assertCurrent();
    return create(deps, { order, requestId, tryOnce });
  };
}

/**
 * Creates the session, or finds the one of the same merchant reference. An account is asked for only when the session may be
 * created and has no place: a refusal leaves nothing behind. Each try stands alone; dying anywhere leaves at most an account.
 */
async function create(
  deps: Deps,
  { order, requestId, tryOnce }: { order: Order; requestId: string; tryOnce: Try },
): Promise<{ session: PaymentSession; created: boolean }> {
  const { config, pool, announce } = deps;
  let customer: CustomersAccount | undefined;
  let isFull = false;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const tried = await tryOnce(pool, draft(config, order, customer));
    switch (tried.outcome) {
      case "created":
        announce([tried.session]);
        return { session: tried.session, created: true };
      case "known":
        return { session: tried.session, created: false };
      case "over_limit":
        throw aboveLimit(tried.limit);
      case "raced":
        isFull = false;
        break;
      case "no_place":
        // A slot may have been given up between the try and the second look: only who finds none twice is refused.
        if (isFull) throw new Problem("amount_slots_exhausted", whyFull(order));
        if (order.customer_reference && !customer) customer = await askForCustomer(deps, order, requestId);
        else isFull = !(await makePlace(deps, order, tried.accounts, requestId));
    }
  }
  throw new Problem("service_unavailable", "Too many payments of this amount are being created. Try again.");
}

type CustomersAccount = Account & { customerName: string };

/** A session under a reference and a start of its own: one that was lost to a race is not tried again as it was. */
function draft(config: SessionConfig, order: Order, customer: CustomersAccount | undefined): NewSession {
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
    redirectUrl: keptRedirectUrl(order.redirect_url),
    account: customer,
    amountLimit: config.AMOUNT_LIMIT,
    amountMax: AMOUNT_MAX,
    expiryS: config.SESSION_EXPIRY_S,
    watchS: customer_reference === undefined ? config.WATCH_COLLECTION_S : config.WATCH_CUSTOMER_S,
    slotPauseS: config.SLOT_PAUSE_S,
    start: randomInt(99),
  };
}

/** The customer's own account; a new reference is given one on the spot. */
async function askForCustomer({ bus }: Deps, order: Order, requestId: string): Promise<CustomersAccount> {
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
 * Every slot of this amount is held. Those that are watched no more are given up first. Whether there may be a place now.
 */
async function makePlace(deps: Deps, order: Order, accounts: string[], requestId: string): Promise<boolean> {
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

/** How large the pool may become: what anybody can use, a public key or a link, has few accounts made. */
const poolMax = (config: SessionConfig, openedBy: Order["openedBy"]): number =>
  openedBy === "secret_key" ? config.COLLECTION_ACCOUNTS_MAX : config.PUBLIC_COLLECTION_ACCOUNTS_MAX;

/** The next account of the merchant's pool. Those who need it at once share one question. */
function addToPool(deps: Deps, merchant: Merchant, position: number, requestId: string): Promise<void> {
  const key = `${merchant.mode} ${merchant.id} ${position}`;
  const asked =
    deps.asking.get(key) ?? askForPool(deps, merchant, position, requestId).finally(() => deps.asking.delete(key));
  deps.asking.set(key, asked);
  return asked;
}

async function askForPool({ pool, bus }: Deps, merchant: Merchant, position: number, requestId: string): Promise<void> {
  const issued = await bus.request(issueCollectionAccount, { merchant, position }, requestId);
  await addCollectionAccount(pool, merchant, {
    position,
    accountNumber: issued.account_number,
    accountName: issued.account_name,
    bankName: issued.bank_name,
  });
}
