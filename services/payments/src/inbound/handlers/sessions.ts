import { answer, type Epochs, type Request } from "@collect/bus";
import {
  expireSession,
  findPayableSession,
  getAmountLimit,
  getPayment,
  givePayerDetails,
  type Input,
  openCryptoPayment,
  openPayment,
  openPublicPayment,
  Problem,
  readSessions,
  reportSent,
  type SessionSnapshot,
  setAmountLimit,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Announce } from "../adapters/announcements.ts";
import { allowedCall } from "../domain/public-call.ts";
import { AMOUNT_MAX, applyEvent, endedNow, type PaymentSession } from "../domain/session.ts";
import { checkoutUrlOf, createdPaymentOf, paymentOf, snapshotOf } from "../domain/session-view.ts";
import { amountLimitOf, setAmountLimitOf } from "../store/amount-limits.ts";
import { brandingsOf } from "../store/business-profiles.ts";
import { checkoutSettingsOf } from "../store/checkout-settings.ts";
import { tryToCreatePublic } from "../store/create-session.ts";
import { findPayable } from "../store/payable-sessions.ts";
import { changeSession, findPaymentOf, type LockedSession, readSessionsOf } from "../store/sessions.ts";
import type { CreateSession, SessionConfig } from "../use-cases/create-session.ts";
import type { GiveDetails } from "../use-cases/give-details.ts";

type Deps = {
  config: SessionConfig;
  pool: Pool;
  announce: Announce;
  epochs: Pick<Epochs, "assertCurrent">;
  createSession: CreateSession;
  giveDetails: GiveDetails;
};

/** Session requests of merchants, payers, simulations and the dashboard. */
export function sessionRequests(deps: Deps): Request[] {
  return [...creating(deps), ...reading(deps), ...changing(deps)];
}

/** Sessions created by a merchant: its server with a secret key, its web pages with a public one. */
function creating({ config, pool, createSession }: Deps): Request[] {
  return [
    answer(openPayment, async (request, context) => {
      const { session, created } = await createSession({ ...request, openedBy: "secret_key" }, context);
      const stored = created ? undefined : await findPaymentOf(pool, request.merchant, session.reference);
      const { session: current, collections } = stored ?? { session, collections: [] };
      return { payment: createdPaymentOf(current, collections, config.CHECKOUT_URL), created };
    }),

    answer(openPublicPayment, async (request, context) => {
      const { client_nonce: clientNonce, warnings, ...order } = await allowed(pool, request);
      const opening = { ...order, clientNonce, openedBy: "public_key" as const };
      const { session, created } = await createSession(opening, context, tryToCreatePublic);
      return {
        session: snapshotOf(session),
        merchant_reference: session.merchantReference,
        checkout_url: checkoutUrlOf(session, config.CHECKOUT_URL),
        warnings,
        created,
      };
    }),

    answer(getAmountLimit, async ({ merchant_id }) => ({
      merchant_id,
      amount: await amountLimitOf(pool, merchant_id, config.AMOUNT_LIMIT),
    })),

    answer(setAmountLimit, async ({ merchant_id, amount: requested }) => {
      const isAbove = requested > AMOUNT_MAX;
      const amount = isAbove ? AMOUNT_MAX : requested;
      await setAmountLimitOf(pool, merchant_id, amount);
      return { merchant_id, amount };
    }),

    answer(openCryptoPayment, () => {
      throw new Problem("crypto_unavailable", "USDT payments are not available yet.");
    }),
  ];
}

async function allowed(pool: Pool, request: Input<typeof openPublicPayment>) {
  const settings = await checkoutSettingsOf(pool, request.merchant);
  return { ...request, ...allowedCall(request, settings, request.merchant.mode) };
}

function reading({ config, pool, epochs }: Deps): Request[] {
  return [
    answer(getPayment, async ({ merchant, reference }) => {
      const found = await findPaymentOf(pool, merchant, reference);
      if (!found) {
        epochs.assertCurrent();
        throw notFound();
      }
      return paymentOf(found.session, found.collections, config.CHECKOUT_URL);
    }),

    answer(readSessions, async ({ references }) => {
      const sessions = await readSessionsOf(pool, references);
      const merchants = new Set(sessions.map(({ merchantId }) => merchantId));
      const brandingOf = await brandingsOf(pool, [...merchants]);
      return {
        sessions: sessions.map((session) => ({ ...snapshotOf(session), branding: brandingOf(session.merchantId) })),
      };
    }),

    answer(findPayableSession, async ({ merchant, by }) => {
      const session = await findPayable(pool, merchant, by);
      if (!session) return { session: null };
      const { reference, accountNumber, amount, amountReceived, isOpen } = session;
      const missing = amount > amountReceived ? amount - amountReceived : 0n;
      return {
        session: { reference, account_number: accountNumber, amount, amount_missing: missing, is_open: isOpen },
      };
    }),
  ];
}

/** Changes made by payers and simulations. */
function changing(deps: Deps): Request[] {
  const { config, pool, epochs } = deps;
  return [
    answer(givePayerDetails, async ({ reference, name, email, client = null }, context) =>
      snapshotOf(await deps.giveDetails(reference, { payerName: name, payerEmail: email, client }, context)),
    ),

    answer(reportSent, ({ reference }) => {
      // As for a cancel: the session may have been paid, or extended before.
      epochs.assertCurrent();
      const extensionMs = config.SENT_EXTENSION_S * 1_000;
      return change(deps, reference, (session) =>
        applyEvent(session, { kind: "sent", at: session.lockedAt, extensionMs }),
      );
    }),

    answer(expireSession, async ({ merchant, reference }) => {
      if (merchant.mode !== "test") throw new Problem("test_key_required", "Only test payments can be closed early.");
      epochs.assertCurrent();
      const expired = await changeSession(pool, reference, (session) =>
        session.merchantId === merchant.id && session.mode === merchant.mode ? endedNow(session) : undefined,
      );
      if (expired?.isChanged) deps.announce([expired.session]);
      return { expired: expired?.isChanged ?? false };
    }),
  ];
}

async function change(
  { pool, announce }: Deps,
  reference: string,
  apply: (session: LockedSession) => PaymentSession | undefined,
): Promise<SessionSnapshot> {
  const changed = await changeSession(pool, reference, apply);
  if (!changed) throw notFound();
  if (changed.isChanged) announce([changed.session]);
  return snapshotOf(changed.session);
}

const notFound = () => new Problem("not_found", "There is no such payment.");
