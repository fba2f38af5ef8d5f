import type { SessionSnapshot } from "@collect/contracts";
import { formatNaira } from "@collect/money";
import { html } from "htm/preact";
import type { VNode } from "preact";
import type { PayableLink } from "../use-cases/links.ts";
import { clock, stateTitle } from "./components.ts";
import { busy, challengeOf, type FormInput } from "./details-form.ts";
import { type Page, type Rendering, renderPage } from "./document.ts";
import { type FormField, formField, PAYER_FIELDS } from "./form-field.ts";
import { heading, help, purpose, trust } from "./frame.ts";
import { isPaid } from "./receipt.ts";
import { DETAILS, FIELDS, LINK, PAGE } from "./texts.ts";

const AMOUNT: FormField = {
  name: "amount",
  type: "text",
  autocomplete: "transaction-amount",
  inputmode: "decimal",
  ...FIELDS.amount,
};

export type LinkFormInput = FormInput & { key: string; isTooMuch?: boolean };
/** A link as one payer sees it, with the payment that was started on the same device. */
export type LinkView = { link: PayableLink; known: SessionSnapshot | undefined };

/**
 * The page of a link: merchant, purpose, amount, and the payer's details. `key` makes repeated submissions of the form
 * one payment.
 */
export function renderLink(rendering: Rendering, { link, known }: LinkView, input: LinkFormInput): string {
  const { merchant_name: merchantName, slug, amount } = link;
  return renderPage(rendering, {
    ...pageOf(link),
    title: DETAILS.title(merchantName, input.invalid.size > 0),
    content: html`
      ${linkHeading(link)}
      ${known && yours(known, LINK.notYou)}
      <section>
        ${amount !== null && html`<p class="price">${formatNaira(amount)}</p>`}
        <p class="why">${DETAILS.madeExact}</p>
        ${stateTitle(LINK.heading)}
        <p>${DETAILS.why(merchantName)} ${DETAILS.next}</p>
        ${input.isFull && html`<p class="attention" role="alert">${DETAILS.full}</p>`}
        ${input.proof && busy()}
        <form method="post" action=${`/l/${slug}`} novalidate ...${challengeOf(input)}>
          <input type="hidden" name="key" value=${input.key} autocomplete="off" />
          ${fieldsOf(link, input).map((field) => formField(field, input.values.get(field.name) ?? "", input.invalid.has(field.name)))}
          <button class="button" type="submit">${DETAILS.submit}</button>
        </form>
      </section>
      ${foot(link)}
    `,
  });
}

const pageOf = ({ mode, branding }: PayableLink): Pick<Page, "isTest" | "branding"> => ({
  isTest: mode === "test",
  branding,
});

function fieldsOf({ amount }: PayableLink, { isTooMuch }: LinkFormInput): FormField[] {
  if (amount !== null) return [...PAYER_FIELDS];
  return [isTooMuch ? { ...AMOUNT, mistake: FIELDS.tooMuch } : AMOUNT, ...PAYER_FIELDS];
}

function linkHeading({ merchant_name: merchantName, branding, title, description }: PayableLink): VNode {
  return heading({ merchantName, branding }, html`<p class="title" dir="auto">${title}</p>`, purpose(description));
}

/** Another person may use the device now: it says nothing about the payer, and leads nowhere by itself. */
function yours(session: SessionSnapshot, hint?: string): VNode {
  const { reference, status, createdAt, paidAt } = session;
  const { heading, text, go } =
    paidAt && isPaid(session)
      ? LINK.known.paid(clock(paidAt))
      : LINK.known[status === "expired" ? "expired" : "open"](clock(createdAt));
  return html`
    <section class="waiting">
      <h2>${heading}</h2>
      <p>${text}</p>
      <a class="button" id="known" href=${`/pay/${reference}`}>${go}</a>
      ${hint && html`<p class="hint">${hint}</p>`}
    </section>
  `;
}

const foot = ({ merchant_name: merchantName, branding }: PayableLink): VNode =>
  html`<div class="beside">${help(merchantName, branding)}${trust()}</div>`;

type Closed = keyof typeof LINK.closed;

/** The page of a link that cannot be paid, by reason. */
export function renderClosedLink(rendering: Rendering, { link, known }: LinkView, status: Closed): string {
  const { merchant_name: merchantName } = link;
  return renderPage(rendering, {
    ...pageOf(link),
    title: LINK.closedTitle(LINK.closed[status], merchantName),
    content: html`
      ${linkHeading({ ...link, description: null })}
      ${known && yours(known)}
      <section>
        ${stateTitle(LINK.closed[status])}
        ${status === "held" ? held(link) : html`<p>${LINK.nothingMore(merchantName)}</p>`}
        <p>${LINK.sentAlready(merchantName)}</p>
      </section>
      ${foot(link)}
    `,
  });
}

/** The link may be held by the payer's own payment, which is open on another device. */
function held({ slug }: PayableLink): VNode {
  return html`
    <p>${LINK.held}</p>
    <p>${LINK.heldNotYours}</p>
    <p><a class="link" href=${`/l/${slug}`}>${PAGE.checkAgain}</a></p>
  `;
}
