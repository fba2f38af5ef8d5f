import type { SessionSnapshot } from "@collect/contracts";
import { formatNaira } from "@collect/money";
import { html } from "htm/preact";
import type { VNode } from "preact";
import type { BrandedSession } from "../domain/branding.ts";
import { dayAndClock, list, type Row, stateTitle } from "./components.ts";
import { renderFile } from "./document.ts";
import { PAID, TERMS } from "./texts.ts";

/** What is there beyond the amount to pay, less what the bank took back. Negative if some is missing. */
export const excessOf = ({ amount, amountReceived, amountReversed = 0n }: SessionSnapshot): bigint =>
  amountReceived - amountReversed - amount;

/** Whether the bank took back so much that what is left does not pay. It can also take back only the excess. */
export const isTakenBack = (session: SessionSnapshot): boolean =>
  (session.amountReversed ?? 0n) > 0n && excessOf(session) < 0n;

/** Whether a receipt can be given: the amount was received in full, and is still there. */
export const isPaid = (session: SessionSnapshot): boolean =>
  !isTakenBack(session) &&
  (session.status === "paid" || session.status === "paid_late" || session.status === "overpaid");

/**
 * What was paid, to whom, when, and under which reference; nothing about the payer. Too much can arrive in any status: who
 * sends the exact amount twice has paid all the same.
 */
export function receipt(session: SessionSnapshot): VNode {
  const { merchantName, amount, amountReceived, amountReversed } = session;
  if (amountReceived <= amount) return list([[TERMS.amount, formatNaira(amountReceived)], ...proofRows(session)]);
  const excess = excessOf(session);
  const takenBack: Row[] = amountReversed ? [[TERMS.takenBack, formatNaira(amountReversed)]] : [];
  const rest: Row = excess > 0n ? [TERMS.tooMuch, formatNaira(excess)] : [TERMS.left, formatNaira(amount + excess)];
  return html`
    ${sum(session, ...takenBack, rest)}
    ${excess > 0n && html`<p class="attention">${PAID.tooMuch(merchantName)}</p>`}
    ${list(proofRows(session))}
  `;
}

/** Lines that add up. */
export const sum = ({ amount, amountReceived }: SessionSnapshot, ...differences: Row[]): VNode =>
  list([[TERMS.toPay, formatNaira(amount)], [TERMS.arrived, formatNaira(amountReceived)], ...differences], "sum");

function proofRows({ merchantName, description, openedBy, paidAt, reference }: SessionSnapshot): Row[] {
  return [
    [TERMS.paidTo, html`<span dir="auto">${merchantName}</span>`],
    // What came with a public key is not the merchant's word.
    ...(description && openedBy !== "public_key"
      ? [[TERMS.purpose, html`<span dir="auto">${description}</span>`] satisfies Row]
      : []),
    ...(paidAt ? [[TERMS.time, html`<span>${PAID.time(dayAndClock(paidAt))}</span>`] satisfies Row] : []),
    [TERMS.reference, html`<span class="copied">${reference}</span>`, reference],
  ];
}

/** The receipt as a file that opens everywhere. */
export function renderReceipt(session: BrandedSession): string {
  const { reference, merchantName, merchant, branding } = session;
  return renderFile({
    title: `${PAID.receipt} ${reference}`,
    isTest: merchant.mode === "test",
    branding,
    content: html`
      <header><h1 dir="auto">${merchantName}</h1></header>
      <section>${stateTitle(PAID.receipt)}${receipt(session)}</section>
    `,
  });
}
