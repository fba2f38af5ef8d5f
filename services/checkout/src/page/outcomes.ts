import { accountOf, type SessionAccount, type SessionSnapshot } from "@collect/contracts";
import { formatNaira } from "@collect/money";
import { html } from "htm/preact";
import type { VNode } from "preact";
import { checkoutView } from "../domain/view.ts";
import { account, checkAgain, clock, dayAndClock, exactly, list, type Row, stateTitle } from "./components.ts";

/** The card of each session status, once the payer's details are known. */

export function toPay(session: SessionSnapshot, now: Date): VNode {
  return html`
    <section>
      ${exactly(session.amount)}
      <p class="why">The last kobo tell us this payment is yours.</p>
      ${shown(session)}
      ${held(session, now)}
      <form method="post" action=${`/pay/${session.reference}/sent`}>
        <button class="button" id="sent" type="submit">I've sent the money</button>
      </form>
    </section>
  `;
}

export function looking(session: SessionSnapshot, now: Date): VNode {
  const digits = formatNaira(session.amount).replaceAll(/[^\d.]/g, "");
  return html`
    <section class="waiting">
      ${stateTitle("Looking for your transfer…")}
      <p>Banks usually take under a minute. You can leave this page and come back to it.</p>
      ${checkAgain(session)}
    </section>
    <section>
      <h2>What to check in your bank's app</h2>
      ${shown(session, ["Amount", formatNaira(session.amount), digits])}
      ${held(session, now)}
    </section>
  `;
}

export function paid(session: SessionSnapshot, now: Date): VNode {
  const { status, merchantName, amountReceived, paidAt, reference } = session;
  const link = checkoutView(session, now).return_url;
  return html`
    <section>
      <div class="done"><p class="tick" aria-hidden="true">✓</p>${stateTitle("Paid")}</div>
      ${status === "paid_late" && html`<p>It came after its time was up, and counts all the same.</p>`}
      ${status === "overpaid" && tooMuch(session)}
      ${list([
        ["Amount", formatNaira(amountReceived)],
        ...(paidAt ? [["Time", dayAndClock(paidAt)] satisfies Row] : []),
        ["Reference", html`<span class="copied">${reference}</span>`, reference],
      ])}
      ${
        link
          ? html`<a class="button" id="return" href=${link}>Return to <bdi>${merchantName}</bdi></a>`
          : html`
              <p><bdi>${merchantName}</bdi> has been told. You can close this page.</p>
              <button class="button second" id="close" type="button" hidden>Close this window</button>
            `
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

export function underpaid(session: SessionSnapshot, now: Date): VNode {
  const { merchantName, amount, amountReceived, watchUntil } = session;
  const missing = amount - amountReceived;
  const arrived = `${formatNaira(amountReceived)} arrived, ${formatNaira(missing)} is missing`;
  if (now.getTime() >= Date.parse(watchUntil)) {
    return html`
      <section>
        ${stateTitle(arrived)}
        <p>The time to send the rest is up. <bdi>${merchantName}</bdi> has been told what arrived; ask them what to do next.</p>
      </section>
    `;
  }
  return html`
    <section>
      <p class="attention"><strong>${arrived}.</strong> What arrived is safe. Send the rest to the same account to complete the payment.</p>
      ${exactly(missing)}
      ${shown(session)}
      <p class="quiet">The rest is taken until ${dayAndClock(watchUntil)}${left(watchUntil, now)}.</p>
      ${checkAgain(session)}
    </section>
  `;
}

export function expired(session: SessionSnapshot): VNode {
  const { merchantName, hasAccount } = session;
  if (hasAccount === false) return lapsed(merchantName);
  return html`
    <section>
      ${stateTitle("The time for this payment is up")}
      <p class="attention">
        If you have already sent it, don't send again: it will still be credited and <bdi>${merchantName}</bdi> will be told.
      </p>
      <p>If you have not sent it, ask <bdi>${merchantName}</bdi> for a new payment link.</p>
      ${checkAgain(session)}
    </section>
  `;
}

/** Its payer never saw an account. */
function lapsed(merchantName: string): VNode {
  return html`
    <section>
      ${stateTitle("The time for this payment is up")}
      <p>There is nothing to send. Start again from the website of <bdi>${merchantName}</bdi>, or ask them for a new payment link.</p>
    </section>
  `;
}

/** The account to pay into, if the payer may see it. */
function shown(session: SessionSnapshot, ...before: Row[]): VNode | null {
  const known: SessionAccount | null = accountOf(session);
  return known && account(known, ...before);
}

/** The countdown. Payments may expire the session a moment after its end. */
function held({ expiresAt }: SessionSnapshot, now: Date): VNode {
  const isOver = Date.parse(expiresAt) <= now.getTime();
  const until = isOver ? "was held for you until" : "is held for you until";
  return html`<p class="quiet">This amount ${until} ${clock(expiresAt)}${left(expiresAt, now)}.</p>`;
}

/**
 * The remaining time, which the script counts down; nothing after the end, and visually hidden while it is over 90
 * minutes.
 */
function left(instant: string, now: Date): VNode | null {
  const minutes = Math.ceil((Date.parse(instant) - now.getTime()) / 60_000);
  if (minutes <= 0) return null;
  return html`<span class=${minutes > 90 ? "unseen" : undefined}>${" "}(<span data-until=${instant}>${minutes}\u00a0min</span>)</span>`;
}
