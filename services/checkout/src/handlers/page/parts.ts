import type { SessionSnapshot } from "@collect/contracts";
import { formatNaira } from "@collect/money";
import { html } from "htm/preact";
import type { VNode } from "preact";

/** Pieces that several states of the page show alike. */

/** The business first, in the largest word; then what it is for and what was asked. */
export function heading({ merchantName, description, amountRequested }: SessionSnapshot): VNode {
  return html`
    <header>
      <h1 dir="auto">${merchantName}</h1>
      ${description && html`<p class="description" dir="auto">${description}</p>`}
      <p class="asked">Amount asked: ${formatNaira(amountRequested)}</p>
    </header>
  `;
}

export type Row = [term: string, value: VNode | string];

/** Where the money goes, in the order in which a bank's app asks for it. */
export function account({ bankName, accountNumber, accountName }: SessionSnapshot, ...before: Row[]): VNode {
  return list([
    ...before,
    ["Bank", bankName],
    ["Account number", grouped(accountNumber)],
    ["Account name", html`<span class="copied" dir="auto">${accountName}</span>`],
  ]);
}

export function list(rows: Row[]): VNode {
  return html`<dl>${rows.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** The groups are spans without space between them, so that what is copied are ten digits. */
function grouped(accountNumber: string): VNode {
  const groups = [accountNumber.slice(0, 3), accountNumber.slice(3, 6), accountNumber.slice(6)];
  return html`<span class="number copied">${groups.map((digits) => html`<span>${digits}</span>`)}</span>`;
}

const CLOCK = new Intl.DateTimeFormat("en-GB", { timeZone: "Africa/Lagos", hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat("en-GB", { timeZone: "Africa/Lagos", dateStyle: "long" });

/** `14:32` in Lagos; the day is told beside it, or on hover. */
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
