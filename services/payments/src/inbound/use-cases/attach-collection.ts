import { type Actor, type CustomerAccount, type MerchantScope, Problem } from "@collect/contracts";
import type { Transaction } from "@collect/database";
import { applyEvent, type PaymentSession, paidAgain, takesMore } from "../domain/session.ts";
import { nameOf } from "../domain/session-view.ts";
import { type Attachable, lockCollection, type Match, storeAttachment } from "../store/attachments.ts";
import { lockSessions, storeSessions } from "../store/sessions.ts";

export type Target = { payment_reference: string } | { customer: Customer };
type Customer = Pick<CustomerAccount, "customer_reference" | "customer_name" | "metadata">;

/** `isNew`: this call attached it, and not an earlier one. The session is as stored; null for a customer. */
export type Attached = { intakeId: string; isNew: boolean; session: PaymentSession | null };

type Attaching = { merchant: MerchantScope; reference: string; target: Target; by: Actor | null };

/**
 * Says whom a collection belongs to that matched nothing, under the locks of the collection and of the session: of two people one is
 * first, and the other is refused unless both said the same. No money moves, because the merchant has it already.
 */
export async function attach(tx: Transaction, { merchant, reference, target, by }: Attaching): Promise<Attached> {
  const collection = await lockCollection(tx, merchant, { reference });
  if (!collection) throw new Problem("not_found", "There is no such collection.");
  const { intakeId, lockedAt: at } = collection;
  const session = "payment_reference" in target ? await lockOwn(tx, merchant, target.payment_reference) : null;
  if (isMatched(collection)) {
    assertSame(collection, target);
    return { intakeId, isNew: false, session };
  }
  if (collection.amountReversed > 0n)
    throw new Problem("not_attachable", "The bank took this money back, or a part of it: it cannot pay for anything.");
  const changed = session && paidBy(session, collection);
  const [stored = null] = changed ? await storeSessions(tx, [changed]) : [];
  await storeAttachment(tx, intakeId, { ...matchOf(target, session), at, by });
  return { intakeId, isNew: true, session: stored };
}

/** Of another merchant or the other mode there is none. */
async function lockOwn(tx: Transaction, { id, mode }: MerchantScope, reference: string): Promise<PaymentSession> {
  const [session] = await lockSessions(tx, [reference]);
  if (session?.merchantId !== id || session.mode !== mode) throw new Problem("not_found", "There is no such payment.");
  return session;
}

const isMatched = ({ paymentReference, customerReference }: Attachable): boolean =>
  paymentReference !== null || customerReference !== null;

function assertSame({ attachedAt, paymentReference, customerReference }: Attachable, target: Target): void {
  if (attachedAt === null)
    throw new Problem(
      "not_attachable",
      "This money was matched when it arrived. Only unmatched money can be attached.",
    );
  const isSame =
    "payment_reference" in target
      ? paymentReference === target.payment_reference
      : paymentReference === null && customerReference === target.customer.customer_reference;
  if (isSame) return;
  const other = paymentReference === null ? `customer ${customerReference}` : `payment session ${paymentReference}`;
  throw new Problem("already_attached", `This money is attached to ${other}, and stays there.`);
}

function paidBy(session: PaymentSession, { amount, lockedAt: at }: Attachable): PaymentSession {
  const paid = applyEvent(session, { kind: "attached", at, amount });
  if (paid) return paid;
  throw new Problem(
    "not_attachable",
    session.accountNumber === null
      ? "This session has no account yet: its payer has not given a name and an email address."
      : takesMore(session)
        ? "This session is paid in full. Attach the money to another session, or to the customer."
        : "The bank took back money that was received for this session. Ask the payer for a new payment.",
  );
}

function matchOf(target: Target, session: PaymentSession | null): Match {
  if ("customer" in target) {
    const { customer_reference: customerReference, customer_name: customerName, metadata } = target.customer;
    return { paymentReference: null, merchantReference: null, customerReference, customerName, metadata };
  }
  if (!session) throw new Error(`session ${target.payment_reference} was not read`);
  const { reference: paymentReference, merchantReference, customerReference, metadata } = session;
  return { paymentReference, merchantReference, customerReference, customerName: nameOf(session), metadata };
}

/**
 * Repeats what a merchant was notified of and this database has lost. Nothing is decided again: if the session was paid by other money
 * in the meantime, because that was recovered first, it becomes what it was in the other order.
 */
export async function attachAgain(
  tx: Transaction,
  { merchant, intakeId, match, at }: { merchant: MerchantScope; intakeId: string; match: Match; at: string },
): Promise<{ isKnown: boolean; changed: PaymentSession[] }> {
  const collection = await lockCollection(tx, merchant, { intakeId });
  if (!collection || isMatched(collection)) return { isKnown: collection !== undefined, changed: [] };
  const [session] = match.paymentReference === null ? [] : await lockSessions(tx, [match.paymentReference]);
  const money = { at, amount: collection.amount };
  const paid = session && (applyEvent(session, { kind: "attached", ...money }) ?? paidAgain(session, money));
  const changed = paid ? await storeSessions(tx, [paid]) : [];
  await storeAttachment(tx, intakeId, { ...match, at, by: null });
  return { isKnown: true, changed };
}
