import type { SessionSnapshot } from "@collect/contracts";
import { formatNaira } from "@collect/money";
import { html } from "htm/preact";
import type { VNode } from "preact";
import { checkoutView } from "../domain/view.ts";
import {
  account,
  checkAgain,
  clock,
  dayAndClock,
  digitsOf,
  elapsed,
  exactAmount,
  koboOf,
  left,
  list,
  numeral,
  stateTitle,
} from "./components.ts";
import { linkOf, wayBack } from "./frame.ts";
import { excessOf, receipt, sum } from "./receipt.ts";
import { CHECKING, EXPIRED, PAID, PAY, TAKEN_BACK, TERMS, UNDERPAID } from "./texts.ts";

/** The card of each session status, once the payer's details are known. */

export function toPay(session: SessionSnapshot, now: Date): VNode {
  const { amount, reference } = session;
  return html`
    <section>
      ${stateTitle(PAY.sendExactly, 1)}
      ${exactAmount(amount)}
      <p class="why">${PAY.include(koboOf(amount))}</p>
      ${account(session, amount)}
      ${held(session, now)}
    </section>
    <section>
      <h2>${numeral(2)}${PAY.afterwards}</h2>
      <form method="post" action=${`/pay/${reference}/sent`}>
        <button class="button" id="sent" type="submit">${PAY.sent}</button>
      </form>
      ${wayBack(session)}
    </section>
  `;
}

/** After this long the page says what to check. */
export const CHECKS_AFTER_MS = 120_000;

/** How long ago the payer said that the transfer was sent. */
export const waitedMs = ({ kept, createdAt }: SessionSnapshot, now: Date): number =>
  now.getTime() - Date.parse(kept?.sentAt ?? createdAt);

export function looking(session: SessionSnapshot, now: Date): VNode {
  const { amount, kept } = session;
  return html`
    <section class="waiting">
      ${stateTitle(CHECKING.heading)}
      ${kept?.sentAt && html`<p class="elapsed">${CHECKING.elapsed(elapsed(kept.sentAt, now))}</p>`}
      <div class="swap">
        ${checks(session, now)}
        <p>${CHECKING.usually}</p>
      </div>
      <p>${CHECKING.leave}</p>
      ${checkAgain(session)}
    </section>
    <section>
      <h2>${CHECKING.details}</h2>
      ${account(session, amount, [TERMS.amount, formatNaira(amount), digitsOf(amount)])}
      ${held(session, now)}
      ${wayBack(session)}
    </section>
  `;
}

/**
 * Takes the place of the text beside it when it is time: open if the page is loaded then, closed if the script shows it,
 * so that nothing moves.
 */
function checks(session: SessionSnapshot, now: Date): VNode {
  const { amount, merchantName, kept, createdAt } = session;
  const since = Date.parse(kept?.sentAt ?? createdAt);
  const isTime = waitedMs(session, now) >= CHECKS_AFTER_MS;
  return html`
    <details class="checks" data-from=${isTime ? undefined : new Date(since + CHECKS_AFTER_MS).toISOString()} open=${isTime}>
      <summary>${CHECKING.notYet}</summary>
      <ol>${CHECKING.checks(formatNaira(amount), koboOf(amount)).map((check) => html`<li>${check}</li>`)}</ol>
      <p>${CHECKING.safe(merchantName)}</p>
    </details>
  `;
}

/** Drawn, because not every font has one. */
const TICK = html`<svg class="tick" aria-hidden="true" viewBox="0 0 24 24"><path d="m6 12.5 4 4 8-9" /></svg>`;

export function paid(session: SessionSnapshot, now: Date): VNode {
  const { status, merchantName, reference } = session;
  const link = checkoutView(session, now).return_url;
  return html`
    <section>
      <div class="success">${TICK}${stateTitle(PAID.heading)}</div>
      ${status === "paid_late" && html`<p>${PAID.late}</p>`}
      ${receipt(session)}
      ${link && html`<a class="button" id="return" href=${link}>${PAID.return(merchantName)}</a>`}
      ${!link && excessOf(session) <= 0n && html`<p>${PAID.closed(merchantName)}</p>`}
      <div class="acts">
        <a class="button second" href=${`/pay/${reference}/receipt`} download>${PAID.save}</a>
        <button class="button second" id="print" type="button" hidden>${PAID.print}</button>
      </div>
      ${!link && wayBack(session)}
    </section>
  `;
}

export function underpaid(session: SessionSnapshot, now: Date): VNode {
  const { merchantName, amount, amountReceived, watchUntil } = session;
  const missing = amount - amountReceived;
  const lines = sum(session, [TERMS.missing, formatNaira(missing)]);
  if (!isTopUpOpen(session, now)) {
    return html`
      <section>
        ${stateTitle(UNDERPAID.heading)}
        ${lines}
        <p class="attention">${isOwnAccount(session) ? UNDERPAID.over : UNDERPAID.shared} ${UNDERPAID.ask(merchantName)}</p>
        ${wayBack(session, "button")}
      </section>
    `;
  }
  return html`
    <section>
      ${lines}
      <p class="attention">${UNDERPAID.safe}</p>
      ${stateTitle(UNDERPAID.sendExactly)}
      ${exactAmount(missing)}
      ${account(session, missing)}
      <p class="quiet">${UNDERPAID.until(dayAndClock(watchUntil), left(watchUntil, now))}</p>
      ${checkAgain(session)}
      ${wayBack(session)}
    </section>
  `;
}

/** What the bank took back is not asked for again here: it would not be matched. */
export function takenBack(session: SessionSnapshot, amountReversed: bigint): VNode {
  const { merchantName, amountReceived } = session;
  return html`
    <section>
      ${stateTitle(TAKEN_BACK.heading)}
      ${list(
        [
          [TERMS.arrived, formatNaira(amountReceived)],
          [TERMS.takenBack, formatNaira(amountReversed)],
          [TERMS.left, formatNaira(amountReceived - amountReversed)],
        ],
        "sum",
      )}
      <p class="attention">${TAKEN_BACK.ask(merchantName)}</p>
      ${wayBack(session, "button")}
    </section>
  `;
}

/** Whether the rest of an underpaid session is still taken. */
export const isTopUpOpen = (session: SessionSnapshot, now: Date): boolean =>
  session.status === "underpaid" &&
  !session.amountReversed &&
  isOwnAccount(session) &&
  now.getTime() < Date.parse(session.watchUntil);

/** Of the customer. In an account that others pay into, the rest would be unmatched, or be another session's exact amount. */
const isOwnAccount = ({ kept }: SessionSnapshot): boolean => typeof kept?.customerReference === "string";

export function expired(session: SessionSnapshot): VNode {
  const { merchantName, hasAccount } = session;
  const slug = linkOf(session);
  const again = slug && html`<p><a class="button" id="again" href=${`/l/${slug}`}>${EXPIRED.startAgain}</a></p>`;
  // Its payer never saw an account.
  if (hasAccount === false) {
    return html`
      <section>
        ${stateTitle(EXPIRED.heading)}
        <p>${again ? EXPIRED.nothing : EXPIRED.nothingAsk(merchantName)}</p>
        ${again || wayBack(session, "button")}
      </section>
    `;
  }
  return html`
    <section>
      ${stateTitle(EXPIRED.heading)}
      <p class="attention">${EXPIRED.sent(merchantName)}</p>
      <p>${again ? EXPIRED.notSentStart : EXPIRED.notSent(merchantName)}</p>
      ${again || wayBack(session, "button")}
      ${checkAgain(session)}
    </section>
  `;
}

/** The countdown. Payments may expire the session a moment after its end. */
function held({ expiresAt }: SessionSnapshot, now: Date): VNode {
  const isOver = Date.parse(expiresAt) <= now.getTime();
  const text = isOver ? PAY.wasHeld(clock(expiresAt)) : PAY.held(clock(expiresAt), left(expiresAt, now));
  return html`<p class="quiet">${text}</p>`;
}
