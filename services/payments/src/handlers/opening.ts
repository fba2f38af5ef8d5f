import { randomBytes, randomInt } from "node:crypto";
import { answer, type Bus, type Request } from "@collect/bus";
import {
  type Asked,
  issueCollectionAccount,
  issueCustomerAccount,
  type Merchant,
  openCryptoPayment,
  openPayment,
  openPublicPayment,
  Problem,
  referenceOf,
  setAmountLimit,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { MAX_KOBO } from "@collect/money";
import type { Config } from "../config.ts";
import { keptRedirectUrl } from "../domain/redirect-url.ts";
import type { PaymentSession } from "../domain/session.ts";
import { checkoutUrlOf, paymentOf, snapshotOf } from "../domain/session-view.ts";
import {
  type Account,
  addCollectionAccount,
  type NewSession,
  releaseSlots,
  setAmountLimitOf,
  takeOverSlot,
  tryToOpen,
} from "../store/opening.ts";
import { findPaymentOf } from "../store/sessions.ts";
import type { Announce } from "../workers/announcements.ts";

export type SessionConfig = Pick<
  Config,
  | "CHECKOUT_URL"
  | "SESSION_EXPIRY_S"
  | "SENT_EXTENSION_S"
  | "WATCH_COLLECTION_S"
  | "WATCH_CUSTOMER_S"
  | "AMOUNT_LIMIT"
  | "COLLECTION_ACCOUNTS_MAX"
  | "PUBLIC_COLLECTION_ACCOUNTS_MAX"
>;
type Deps = {
  config: SessionConfig;
  pool: Pool;
  bus: Bus;
  announce: Announce;
  /** Accounts of merchants' pools that are being asked for. */
  asking: Map<string, Promise<void>>;
};

/** A try is lost only to somebody who opened a session, or it finds an account full: it takes a crowd to lose as many. */
const TRIES_MAX = 50;
/** Leaves room for the largest kobo suffix. */
const AMOUNT_MAX = MAX_KOBO - 99n;

export function openingRequests(given: Omit<Deps, "asking">): Request[] {
  const deps: Deps = { ...given, asking: new Map() };
  const { config, pool } = deps;
  return [
    answer(openPayment, async (asked, requestId) => {
      const { session, created } = await open(deps, { ...asked, openedBy: "secret_key" }, requestId);
      const stored = created ? undefined : await findPaymentOf(pool, asked.merchant, session.reference);
      const { session: shown, collections } = stored ?? { session, collections: [] };
      return { payment: paymentOf(shown, collections, config.CHECKOUT_URL), created };
    }),

    answer(openPublicPayment, async (asked, requestId) => {
      const { session, created } = await open(deps, { ...asked, openedBy: "public_key" }, requestId);
      return {
        session: snapshotOf(session),
        merchant_reference: session.merchantReference,
        checkout_url: checkoutUrlOf(session, config.CHECKOUT_URL),
        created,
      };
    }),

    answer(setAmountLimit, async ({ merchant_id, amount: asked }) => {
      const amount = asked < AMOUNT_MAX ? asked : AMOUNT_MAX;
      await setAmountLimitOf(pool, merchant_id, amount);
      return { merchant_id, amount };
    }),

    answer(openCryptoPayment, () => {
      throw new Problem("crypto_unavailable", "USDT payments are not available yet.");
    }),
  ];
}

type Order = Asked<typeof openPayment> & Pick<PaymentSession, "openedBy">;

/**
 * Opens the session, or finds the one of the same merchant reference. An account is asked for only when the session may be
 * opened and has no place: a refusal leaves nothing behind. Each try stands alone; dying anywhere leaves at most an account.
 */
async function open(
  deps: Deps,
  order: Order,
  requestId: string,
): Promise<{ session: PaymentSession; created: boolean }> {
  const { config, pool, announce } = deps;
  let customer: CustomersAccount | undefined;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const tried = await tryToOpen(pool, draft(config, order, customer));
    switch (tried.outcome) {
      case "opened":
        announce([tried.session]);
        return { session: tried.session, created: true };
      case "known":
        return { session: tried.session, created: false };
      case "over_limit":
        throw new Problem("amount_over_limit", "The amount is above what one payment may ask for.");
      case "no_place":
        if (order.customer_reference && !customer) customer = await askForCustomer(deps, order, requestId);
        else await makePlace(deps, order, tried.accounts, requestId);
    }
  }
  throw new Problem("service_unavailable", "Too many payments of this amount are being opened. Try again.");
}

type CustomersAccount = Account & { customerName: string };

/** A session under a reference and a start of its own: one that was lost to a race is not tried again as it was. */
function draft(config: SessionConfig, order: Order, customer: CustomersAccount | undefined): NewSession {
  const { merchant, customer_reference, customer_name } = order;
  return {
    reference: referenceOf("pay", randomBytes(16)),
    merchantId: merchant.id,
    mode: merchant.mode,
    merchantName: merchant.name,
    merchantReference: order.reference ?? null,
    openedBy: order.openedBy,
    amountRequested: order.amount,
    customerReference: customer_reference ?? null,
    customerName: customer?.customerName ?? customer_name ?? null,
    detailsRequired: customer_reference === undefined && customer_name === undefined,
    description: order.description || null,
    redirectUrl: keptRedirectUrl(order.redirect_url),
    account: customer,
    amountLimit: config.AMOUNT_LIMIT,
    expiryS: config.SESSION_EXPIRY_S,
    watchS: customer_reference === undefined ? config.WATCH_COLLECTION_S : config.WATCH_CUSTOMER_S,
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
    throw new Problem("account_retired", "The customer's account is retired; no payment can be opened with it.");
  return {
    accountNumber: account.account_number,
    accountName: account.account_name,
    bankName: account.bank_name,
    customerName: account.customer_name,
  };
}

/** Every slot of this amount is held. Those that are watched no more are given up first. */
async function makePlace(deps: Deps, order: Order, accounts: string[], requestId: string): Promise<void> {
  const { pool, announce } = deps;
  const slot = { mode: order.merchant.mode, amountRequested: order.amount };
  if ((await releaseSlots(pool, { ...slot, accounts })) > 0) return;
  if (order.customer_reference === undefined) {
    if (accounts.length >= poolMax(deps.config, order.openedBy))
      throw new Problem("amount_slots_exhausted", "Too many payments of this amount are open. Try again later.");
    return addToPool(deps, order.merchant, accounts.length + 1, requestId);
  }
  const closed = await takeOverSlot(pool, { ...slot, accountNumber: accounts[0] ?? "" });
  if (!closed)
    throw new Problem("amount_slots_exhausted", "99 payments of this amount are open on the customer's account.");
  announce([closed]);
}

/** How large the pool may become for a session of this kind of key. */
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
