import type { SessionSnapshot } from "@collect/contracts";
import { formatNaira } from "@collect/money";
import { html } from "htm/preact";
import type { VNode } from "preact";
import { isOpen } from "../../domain/freshness.ts";
import { checkoutView } from "../../domain/view.ts";
import { detailsPage } from "./details-form.ts";
import { type Page, renderPage } from "./document.ts";
import { account, clock, dayAndClock, heading, list, type Row } from "./parts.ts";

/** Before the money is said to be sent somebody may be marking the account number, which a new page would undo. */
const REFRESH_SECONDS = { pending: 30, processing: 5 };

export function renderSession(session: SessionSnapshot, now: Date): string {
  return renderPage(isOpen(session) && session.detailsRequired ? detailsPage(session) : statePage(session, now));
}

function statePage(session: SessionSnapshot, now: Date): Page {
  const { status, merchantName } = session;
  const page = (title: string, content: VNode, refreshSeconds: number | null = null): Page => ({
    title: `${title} ${merchantName}`,
    isTest: session.merchant.mode === "test",
    refreshSeconds,
    content: html`${heading(session)}${content}`,
  });
  switch (status) {
    case "pending":
      return page("Pay", toPay(session, now), REFRESH_SECONDS.pending);
    case "processing":
      return page("Looking for your transfer to", looking(session, now), REFRESH_SECONDS.processing);
    case "paid":
    case "paid_late":
    case "overpaid":
      return page("Paid:", paid(session, now));
    case "underpaid":
      return page("More to pay:", underpaid(session, now));
    case "expired":
      return page("Time is up:", expired(session));
    default:
      return status satisfies never;
  }
}

function toPay(session: SessionSnapshot, now: Date): VNode {
  return html`
    <section>
      ${exactly(session.amount)}
      <p class="why">The last kobo tell us this payment is yours.</p>
      ${account(session)}
      ${held(session, now)}
      <form method="post" action=${`/pay/${session.reference}/sent`}>
        <button class="button" type="submit">I've sent the money</button>
      </form>
    </section>
  `;
}

function looking(session: SessionSnapshot, now: Date): VNode {
  return html`
    <section role="status">
      <h2>Looking for your transfer…</h2>
      <p>Banks usually take under a minute. You can leave this page and come back to it.</p>
    </section>
    <section>
      <h2>What to check in your bank's app</h2>
      ${account(session, ["Amount", formatNaira(session.amount)])}
      ${held(session, now)}
    </section>
  `;
}

function paid(session: SessionSnapshot, now: Date): VNode {
  const { status, merchantName, amountReceived, paidAt, reference } = session;
  const link = checkoutView(session, now).return_url;
  return html`
    <section role="status">
      <p class="tick" aria-hidden="true">✓</p>
      <h2>Paid</h2>
      ${status === "paid_late" && html`<p>It came after its time was up, and counts all the same.</p>`}
      ${status === "overpaid" && tooMuch(session)}
      ${list([
        ["Amount", formatNaira(amountReceived)],
        ...(paidAt ? [["Time", dayAndClock(paidAt)] satisfies Row] : []),
        ["Reference", html`<span class="copied">${reference}</span>`],
      ])}
      ${
        link
          ? html`<a class="button" href=${link}>Return to <bdi>${merchantName}</bdi></a>`
          : html`<p><bdi>${merchantName}</bdi> has been told. You can close this page.</p>`
      }
    </section>
  `;
}

function tooMuch({ merchantName, amount, amountReceived }: SessionSnapshot): VNode {
  const arrived = `${formatNaira(amountReceived)} arrived, ${formatNaira(amountReceived - amount)} more than was asked.`;
  return html`
    <p class="attention">${arrived} <bdi>${merchantName}</bdi> has been told; ask them about the difference.</p>
  `;
}

function underpaid(session: SessionSnapshot, now: Date): VNode {
  const { merchantName, amount, amountReceived, watchUntil } = session;
  const missing = amount - amountReceived;
  const arrived = html`<h2>${formatNaira(amountReceived)} arrived, ${formatNaira(missing)} is missing</h2>`;
  if (now.getTime() >= Date.parse(watchUntil)) {
    return html`
      <section role="status">
        ${arrived}
        <p>The time to send the rest is up. <bdi>${merchantName}</bdi> has been told what arrived; ask them what to do next.</p>
      </section>
    `;
  }
  return html`
    <section role="status">
      ${arrived}
      <p>What arrived is safe. Send the rest to the same account to complete the payment.</p>
    </section>
    <section>
      ${exactly(missing)}
      ${!session.detailsRequired && account(session)}
      <p class="quiet">The rest is taken until ${dayAndClock(watchUntil)}.</p>
      ${again(session)}
    </section>
  `;
}

function expired(session: SessionSnapshot): VNode {
  const { merchantName } = session;
  return html`
    <section role="status">
      <h2>The time for this payment is up</h2>
      <p class="attention">
        If you have already sent it, don't send again: it will still be credited and <bdi>${merchantName}</bdi> will be told.
      </p>
      <p>If you have not sent it, ask <bdi>${merchantName}</bdi> for a new payment link.</p>
      ${again(session)}
    </section>
  `;
}

function exactly(amount: bigint): VNode {
  return html`
    <h2>Send exactly</h2>
    <p class="amount copied">${formatNaira(amount)}</p>
  `;
}

/** The quiet countdown. A moment after the end payments has not closed the session yet. */
function held({ expiresAt }: SessionSnapshot, now: Date): VNode {
  const minutes = Math.ceil((Date.parse(expiresAt) - now.getTime()) / 60_000);
  if (minutes <= 0) return html`<p class="quiet">This amount was held for you until ${clock(expiresAt)}.</p>`;
  return html`<p class="quiet">This amount is held for you until ${clock(expiresAt)} (${minutes}\u00a0min).</p>`;
}

function again({ reference }: SessionSnapshot): VNode {
  return html`<p><a class="again" href=${`/pay/${reference}`}>Check again</a></p>`;
}
