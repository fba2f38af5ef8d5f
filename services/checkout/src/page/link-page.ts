import { formatNaira } from "@collect/money";
import { html } from "htm/preact";
import type { VNode } from "preact";
import type { PayableLink } from "../use-cases/links.ts";
import { stateTitle } from "./components.ts";
import { busy, challengeOf, type FormInput } from "./details-form.ts";
import { type Rendering, renderPage } from "./document.ts";
import { type FormField, formField, PAYER_FIELDS } from "./form-field.ts";

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

export type LinkFormInput = FormInput & { key: string; isTooMuch?: boolean };

/**
 * The page of a link: merchant, purpose, amount, and the payer's details. `key` makes repeated submissions of the form
 * one payment.
 */
export function renderLink(rendering: Rendering, link: PayableLink, input: LinkFormInput): string {
  const { merchant_name: merchantName, mode, slug } = link;
  return renderPage(rendering, {
    title: `${input.invalid.size > 0 ? "Check what you typed: " : ""}Pay ${merchantName}`,
    isTest: mode === "test",
    content: html`
      ${linkHeading(link)}
      <section>
        ${stateTitle("Your details")}
        <p>
          <bdi>${merchantName}</bdi> needs your name and email to know whose payment this is and to reach you about it.
          Then we show you the account to pay into.
        </p>
        ${input.proof && busy()}
        <form method="post" action=${`/l/${slug}`} novalidate ...${challengeOf(input)}>
          <input type="hidden" name="key" value=${input.key} autocomplete="off" />
          ${fieldsOf(link, input).map((field) => formField(field, input.values.get(field.name) ?? "", input.invalid.has(field.name)))}
          <button class="button" type="submit">Continue</button>
        </form>
      </section>
    `,
  });
}

function fieldsOf({ amount }: PayableLink, { isTooMuch }: LinkFormInput): FormField[] {
  if (amount !== null) return [...PAYER_FIELDS];
  return [isTooMuch ? { ...AMOUNT, mistake: TOO_MUCH } : AMOUNT, ...PAYER_FIELDS];
}

function linkHeading({ merchant_name, title, description, amount }: PayableLink): VNode {
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

/** The page of a link that cannot be paid, by reason. */
export function renderClosedLink(rendering: Rendering, link: PayableLink, status: Closed): string {
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

/** The link may be held by the payer's own payment, which is open on another page that this one cannot know. */
function held({ slug }: PayableLink): VNode {
  return html`
    <p>All that can be paid through this link now is being paid. One of these payments may be yours: if you have seen the account to pay into, go back to that page. Your payment is still open there, and nothing is lost.</p>
    <p>If not, try again later: a place may become free within half an hour.</p>
    <p><a class="again" href=${`/l/${slug}`}>Check again</a></p>
  `;
}
