import { answer, type Epochs, type Request } from "@collect/bus";
import {
  expireSession,
  findPayableSession,
  getPayment,
  givePayerDetails,
  Problem,
  readSessions,
  reportSent,
  type SessionSnapshot,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Announce } from "../adapters/announcements.ts";
import { after, type PaymentSession } from "../domain/session.ts";
import { paymentOf, snapshotOf } from "../domain/session-view.ts";
import { findPayable } from "../store/payable-sessions.ts";
import { changeSession, findPaymentOf, type LockedSession, readSessionsOf } from "../store/sessions.ts";
import type { SessionConfig } from "../use-cases/create-session.ts";

type Deps = { config: SessionConfig; pool: Pool; announce: Announce; epochs: Pick<Epochs, "assertCurrent"> };

/** What is asked of sessions that are there, and what payers and simulations do to them. */
export function sessionRequests(deps: Deps): Request[] {
  const { config, pool, epochs } = deps;
  return [
    answer(getPayment, async ({ merchant, reference }) => {
      const found = await findPaymentOf(pool, merchant, reference);
      if (!found) {
        epochs.assertCurrent();
        throw notFound();
      }
      return paymentOf(found.session, found.collections, config.CHECKOUT_URL);
    }),

    answer(readSessions, async ({ references }) => ({
      sessions: (await readSessionsOf(pool, references)).map(snapshotOf),
    })),

    answer(givePayerDetails, ({ reference, name, email }) =>
      change(deps, reference, (session) => withDetails(session, { payerName: name, payerEmail: email })),
    ),

    answer(reportSent, ({ reference }) => {
      const extensionMs = config.SENT_EXTENSION_S * 1_000;
      return change(deps, reference, (session) => after(session, { kind: "sent", at: session.lockedAt, extensionMs }));
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

    answer(expireSession, async ({ merchant, reference }) => {
      if (merchant.mode !== "test") throw new Problem("test_key_required", "Only test payments can be closed early.");
      const expired = await changeSession(pool, reference, (session) =>
        session.merchantId === merchant.id && session.mode === merchant.mode ? closedEarly(session) : undefined,
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

/** Given once; the same again changes nothing. A session that asks for none has its own. */
function withDetails(
  session: LockedSession,
  details: Pick<PaymentSession, "payerName" | "payerEmail">,
): PaymentSession | undefined {
  if (session.detailsRequired) return { ...session, ...details, detailsRequired: false };
  const isSame = session.payerName === details.payerName && session.payerEmail === details.payerEmail;
  if (isSame) return undefined;
  throw new Problem("details_already_given", "This payment already has different details, or needs none.");
}

/** As if its time were up now. */
function closedEarly(session: LockedSession): PaymentSession | undefined {
  const { expiresAt, lockedAt } = session;
  const endsAt = Date.parse(expiresAt) < Date.parse(lockedAt) ? expiresAt : lockedAt;
  return after({ ...session, expiresAt: endsAt }, { kind: "time_up", at: lockedAt });
}

const notFound = () => new Problem("not_found", "There is no such payment.");
