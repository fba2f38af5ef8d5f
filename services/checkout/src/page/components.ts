import type { SessionAccount, SessionSnapshot } from "@collect/contracts";
import { formatNaira } from "@collect/money";
import { html } from "htm/preact";
import type { VNode } from "preact";

/** Elements that several cards share. */

/** The merchant in the largest type, then the purpose and the requested amount. */
export function heading({ merchantName, description, amountRequested, openedBy }: SessionSnapshot): VNode {
  const isFromMerchant = openedBy !== "public_key";
  return html`
    <header>
      <h1 dir="auto">${merchantName}</h1>
      ${description && (isFromMerchant ? html`<p class="description" dir="auto">${description}</p>` : unchecked(description, merchantName))}
      <p class="asked">Amount asked: ${formatNaira(amountRequested)}</p>
    </header>
  `;
}

/**
 * Text that came with a public key, which anyone can send: set apart from what the merchant says, and never a link. A
 * scammer must not be able to speak in the merchant's name.
 */
function unchecked(description: string, merchantName: string): VNode {
  return html`
    <figure class="unchecked">
      <figcaption>Note from the website you came from, not checked by <bdi>${merchantName}</bdi></figcaption>
      <blockquote class="description" dir="auto">${description}</blockquote>
    </figure>
  `;
}

/**
 * The title of a state. It receives the focus when the focused element is gone, so that a screen reader continues from
 * here.
 */
export function stateTitle(text: string): VNode {
  return html`<h2 id="state" tabindex="-1">${text}</h2>`;
}

export type Row = [term: string, value: VNode | string, copied?: string];

/** The account details, in the order in which a bank's app asks for them. */
export function account({ bankName, accountNumber, accountName }: SessionAccount, ...before: Row[]): VNode {
  return list([
    ...before,
    ["Bank", html`<span dir="auto">${bankName}</span>`, bankName],
    ["Account number", grouped(accountNumber), accountNumber],
    ["Account name", html`<span class="copied" dir="auto">${accountName}</span>`, accountName],
  ]);
}

export function list(rows: Row[]): VNode {
  return html`
    <dl>
      ${rows.map(
        ([term, value, copied]) => html`
          <div>
            <dt>${term}</dt>
            <dd>${value}${copied !== undefined && copyButton(term.toLowerCase(), copied)}</dd>
          </div>
        `,
      )}
    </dl>
  `;
}

/** Shown by the script, without which the button would do nothing. */
export function copyButton(what: string, text: string): VNode {
  return html`
    <button class="copy" type="button" id=${`copy-${what.replaceAll(" ", "-")}`} data-copy=${text} data-what=${what} hidden
      ><span>Copy</span><span class="unseen">${` ${what}`}</span></button
    >
  `;
}

/** The exact amount, the largest text below the merchant's name. Copied as banks' apps accept it: digits only. */
export function exactly(amount: bigint): VNode {
  const shown = formatNaira(amount);
  const digits = shown.replaceAll(/[^\d.]/g, "");
  return html`
    ${stateTitle("Send exactly")}
    <p class=${shown.length > 13 ? "amount long" : "amount"}><span class="copied">${shown}</span>${copyButton("amount", digits)}</p>
  `;
}

/** The groups are spans without spaces between them, so that exactly ten digits are copied. */
function grouped(accountNumber: string): VNode {
  const groups = [accountNumber.slice(0, 3), accountNumber.slice(3, 6), accountNumber.slice(6)];
  return html`<span class="number copied">${groups.map((digits) => html`<span>${digits}</span>`)}</span>`;
}

/** The link back to the page, which is needed only without script. */
export function checkAgain({ reference }: SessionSnapshot): VNode {
  return html`<noscript><p><a class="again" href=${`/pay/${reference}`}>Check again</a></p></noscript>`;
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
