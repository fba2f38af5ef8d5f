import { accountOf, type SessionSnapshot } from "@collect/contracts";
import { formatNaira } from "@collect/money";
import { html } from "htm/preact";
import type { VNode } from "preact";
import { PAGE, PAY, TERMS } from "./texts.ts";

/** Elements that several cards share. */

/**
 * The title of a state. It receives the focus when the focused element is gone, so that a screen reader continues from
 * here. With the number of what the payer does first or second.
 */
export function stateTitle(text: string, number?: 1 | 2): VNode {
  return html`<h2 id="state" tabindex="-1">${number && numeral(number)}${text}</h2>`;
}

export const numeral = (number: 1 | 2): VNode => html`<span class="numeral">${number}</span>`;

export type Row = [term: string, value: VNode | string, copied?: string];

/** A row with something to copy is one target as a whole. */
export function list(rows: Row[], kind?: "sum"): VNode {
  return html`
    <dl class=${kind}>
      ${rows.map(
        ([term, value, copied]) => html`
          <div class=${copied === undefined ? undefined : "target"}>
            <dt>${term}</dt>
            <dd>${value}${copied !== undefined && copyButton(term, copied)}</dd>
          </div>
        `,
      )}
    </dl>
  `;
}

/** Shown by the script, without which the button would do nothing. */
function copyButton(what: string, text: string): VNode {
  return html`
    <button class="copy" type="button" id=${`copy-${what.toLowerCase().replaceAll(" ", "-")}`} ...${copying(what, text)} hidden
      ><span>${PAGE.copy}</span><span class="unseen">${` ${what.toLowerCase()}`}</span></button
    >
  `;
}

const copying = (what: string, text: string) => ({ "data-copy": text, "data-copied": PAGE.copiedWhat(what) });

/** The exact amount: the largest text of the page, and copied as banks' apps accept it, digits only. */
export function exactAmount(amount: bigint): VNode {
  const shown = formatNaira(amount);
  const size = shown.length > 13 ? "amount target longer" : shown.length > 10 ? "amount target long" : "amount target";
  return html`
    <p class=${size}>
      <span class="copied">${shown.slice(0, -3)}<span class="kobo">${shown.slice(-3)}</span></span>
      ${copyButton(TERMS.amount, digitsOf(amount))}
    </p>
  `;
}

/** `.73` */
export const koboOf = (amount: bigint): string => formatNaira(amount).slice(-3);
export const digitsOf = (amount: bigint): string => formatNaira(amount).replaceAll(/[^\d.]/g, "");

/** The account, in the order in which a bank's app asks for its details; nothing if the payer may not see one yet. */
export function account(session: SessionSnapshot, amount: bigint, ...before: Row[]): VNode | null {
  const known = accountOf(session);
  if (!known) return null;
  const { bankName, accountNumber, accountName } = known;
  const texts = { amount: formatNaira(amount), bank: bankName, accountNumber, accountName };
  const all = (["amount", "bank", "accountNumber", "accountName"] as const)
    .map((name) => `${TERMS[name]}: ${texts[name]}`)
    .join("\n");
  const rows: Row[] = [
    [TERMS.bank, html`<span dir="auto">${bankName}</span>`, bankName],
    [TERMS.accountNumber, grouped(accountNumber), accountNumber],
    [TERMS.accountName, html`<span class="copied" dir="auto">${accountName}</span>`, accountName],
  ];
  return html`
    ${list([...before, ...rows])}
    <div class="acts">
      <button class="button second" type="button" id="copy-all" ...${copying(PAY.allDetails, all)} hidden
        ><span>${PAY.copyAll}</span></button
      >
      <button class="button second" type="button" id="share" data-title=${PAY.shared(session.merchantName)} hidden>${PAY.share}</button>
    </div>
  `;
}

/** The groups are spans without spaces between them, so that exactly ten digits are copied. */
function grouped(accountNumber: string): VNode {
  const groups = [accountNumber.slice(0, 3), accountNumber.slice(3, 6), accountNumber.slice(6)];
  return html`<span class="number copied">${groups.map((digits) => html`<span>${digits}</span>`)}</span>`;
}

/** The link back to the page, which is needed only without script. */
export function checkAgain({ reference }: SessionSnapshot): VNode {
  return html`<noscript><p><a class="link" href=${`/pay/${reference}`}>${PAGE.checkAgain}</a></p></noscript>`;
}

const CLOCK = new Intl.DateTimeFormat("en-GB", { timeZone: "Africa/Lagos", hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat("en-GB", { timeZone: "Africa/Lagos", dateStyle: "long" });

/** `14:32` in Lagos time, with the day on hover. */
export function clock(instant: string): VNode {
  return html`<time datetime=${instant} title=${exact(instant)}>${CLOCK.format(new Date(instant))}</time>`;
}

export function dayAndClock(instant: string): VNode {
  return html`<time datetime=${instant}>${exact(instant)}</time>`;
}

function exact(instant: string): string {
  const date = new Date(instant);
  return `${DAY.format(date)}, ${CLOCK.format(date)}`;
}

/**
 * The remaining time, which the script counts down; nothing after the end, and visually hidden while it is over 90
 * minutes.
 */
export function left(instant: string, now: Date): VNode | null {
  const minutes = Math.ceil((Date.parse(instant) - now.getTime()) / 60_000);
  if (minutes <= 0) return null;
  const remaining = html`<span data-until=${instant}>${PAY.minutes(minutes)}</span>`;
  return html`<span class=${minutes > 90 ? "unseen" : undefined}>${PAY.left(remaining)}</span>`;
}

/** `1:05`, which the script counts up. */
export function elapsed(instant: string, now: Date): VNode {
  const seconds = Math.max(0, Math.floor((now.getTime() - Date.parse(instant)) / 1_000));
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return html`<span data-since=${instant}>${text}</span>`;
}
