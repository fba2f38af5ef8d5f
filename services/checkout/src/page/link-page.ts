import { formatNaira } from "@collect/money";
import { html } from "htm/preact";
import type { VNode } from "preact";
import type { ShownLink } from "../use-cases/links.ts";
import type { Typed } from "./details-form.ts";
import { type Rendering, renderPage } from "./document.ts";
import { type FormField, formField, PAYER_FIELDS } from "./form-field.ts";
import { stateTitle } from "./parts.ts";

const AMOUNT: FormField = {
  name: "amount",
  label: "Amount in naira",
  type: "text",
  autocomplete: "transaction-amount",
  inputmode: "decimal",
  hint: "For example 2,500 or 2,500.50",
  mistake: "Enter an amount in naira, such as 2,500 or 2,500.50.",
};
const TOO_MUCH = "That is more than can be paid at once. Enter a smaller amount.";

export type TypedForLink = Typed & { key: string; isTooMuch?: boolean };

/** A link's page: who is paid, for what, how much, and who pays. `key` makes the form, however often it is sent, one payment. */
export function renderLink(rendering: Rendering, link: ShownLink, typed: TypedForLink): string {
  const { merchant_name: merchantName, mode, slug } = link;
  return renderPage(rendering, {
    title: `${typed.wrong.size > 0 ? "Check what you typed: " : ""}Pay ${merchantName}`,
    isTest: mode === "test",
    content: html`
      ${linkHeading(link)}
      <section>
        ${stateTitle("Your details")}
        <p>
          <bdi>${merchantName}</bdi> needs your name and email to know whose payment this is and to reach you about it.
          Then we show you the account to pay into.
        </p>
        <form method="post" action=${`/l/${slug}`} novalidate>
          <input type="hidden" name="key" value=${typed.key} autocomplete="off" />
          ${fieldsOf(link, typed).map((field) => formField(field, typed.values.get(field.name) ?? "", typed.wrong.has(field.name)))}
          <button class="button" type="submit">Continue</button>
        </form>
      </section>
    `,
  });
}

function fieldsOf({ amount }: ShownLink, { isTooMuch }: TypedForLink): FormField[] {
  if (amount !== null) return [...PAYER_FIELDS];
  return [isTooMuch ? { ...AMOUNT, mistake: TOO_MUCH } : AMOUNT, ...PAYER_FIELDS];
}

function linkHeading({ merchant_name, title, description, amount }: ShownLink): VNode {
  return html`
    <header>
      <h1 dir="auto">${merchant_name}</h1>
      <p class="title" dir="auto">${title}</p>
      ${description && html`<p class="description" dir="auto">${description}</p>`}
      ${amount !== null && html`<p class="price">${formatNaira(amount)}</p>`}
    </header>
  `;
}

const CLOSED = {
  disabled: "This link is closed",
  expired: "This link has ended",
  used_up: "This link has been used up",
  held: "Other payments are under way",
} as const;
type Closed = keyof typeof CLOSED;

/** One page for each reason why nothing can be paid through a link. */
export function renderClosedLink(rendering: Rendering, link: ShownLink, status: Closed): string {
  const { merchant_name: merchantName, mode } = link;
  return renderPage(rendering, {
    title: `${CLOSED[status]}: ${merchantName}`,
    isTest: mode === "test",
    content: html`
      ${linkHeading({ ...link, description: null, amount: null })}
      <section>
        ${stateTitle(CLOSED[status])}
        ${status === "held" ? held(link) : html`<p>Nothing can be paid through it any more. Ask <bdi>${merchantName}</bdi> for another link.</p>`}
        <p>If you have already sent money, it is safe: it will be credited and <bdi>${merchantName}</bdi> will be told. Don't send it again.</p>
      </section>
    `,
  });
}

/** It may be the payer's own payment that holds the link: that page is still there, and this one cannot know it. */
function held({ slug }: ShownLink): VNode {
  return html`
    <p>All that can be paid through this link now is being paid. One of these payments may be yours: if you have seen the account to pay into, go back to that page. Your payment is still open there, and nothing is lost.</p>
    <p>If not, try again later: a place may become free within half an hour.</p>
    <p><a class="again" href=${`/l/${slug}`}>Check again</a></p>
  `;
}
