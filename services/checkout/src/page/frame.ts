import { accountOf, type Branding, type SessionSnapshot } from "@collect/contracts";
import { html } from "htm/preact";
import type { VNode } from "preact";
import type { BrandedSession } from "../domain/branding.ts";
import { backUrl } from "../domain/return-url.ts";
import { PAGE } from "./texts.ts";

/** What stands around the card's state: the merchant above, the steps, the ways out, and what the payer can rely on. */

/** The merchant in the largest words, with its mark, and the purpose. */
export function heading(
  { merchantName, branding }: { merchantName: string; branding: Branding },
  ...purpose: (VNode | null | false)[]
): VNode {
  return html`
    <header>
      ${mark(merchantName, branding.logo)}
      <div>
        <h1 dir="auto">${merchantName}</h1>
        ${purpose}
      </div>
    </header>
  `;
}

/** Its logo, or else its first letter on its color. The name beside it says the same. */
function mark(merchantName: string, logo: string | null): VNode {
  if (logo) return html`<img class="mark" src=${logo} alt="" width="48" height="48" />`;
  const [first = ""] = Array.from(merchantName.trim());
  return html`<span class="mark" aria-hidden="true">${first.toUpperCase()}</span>`;
}

export const purpose = (text: string | null): VNode | null =>
  text ? html`<p class="description" dir="auto">${text}</p>` : null;

/**
 * Text that came with a public key, which anyone can send: set apart from what the merchant says, and never a link. A
 * scammer must not be able to speak in the merchant's name.
 */
export const uncheckedPurpose = ({ description, merchantName }: SessionSnapshot): VNode | null =>
  description
    ? html`
        <figure class="unchecked">
          <figcaption>${PAGE.unchecked(merchantName)}</figcaption>
          <blockquote class="description" dir="auto">${description}</blockquote>
        </figure>
      `
    : null;

const STEPS = ["pay", "checking", "paid"] as const;
export type Step = (typeof STEPS)[number];

/** Paid is a step that is done at once. */
export function steps(current: Step): VNode {
  const done = current === "paid" ? STEPS.length : STEPS.indexOf(current);
  return html`
    <ol class="steps" aria-label=${PAGE.steps}>
      ${STEPS.map(
        (step, index) => html`
          <li class=${index < done ? "done" : undefined} aria-current=${step === current ? "step" : undefined}
            >${index < done && html`<span class="unseen">${PAGE.stepDone}</span>`}${PAGE.step[step]}</li
          >
        `,
      )}
    </ol>
  `;
}

/** To the merchant from a payment that is not paid: to its website, or to its payment link. */
export function wayBack(session: SessionSnapshot, look: "link" | "button" = "link"): VNode | null {
  const { merchantName } = session;
  const url = backUrl(session);
  if (url) return html`<p><a class=${look} id="back" href=${url}>${PAGE.back(merchantName)}</a></p>`;
  const slug = linkOf(session);
  if (slug) return html`<p><a class=${look} id="back" href=${`/l/${slug}`}>${PAGE.backToLink(merchantName)}</a></p>`;
  return null;
}

/** The payment link that the session came from. */
export const linkOf = ({ kept }: SessionSnapshot): string | null => kept?.paymentLink ?? null;

/** Beside the card where there is room, otherwise below it: the way to the phone, help, and what the payer can rely on. */
export function beside(session: BrandedSession, isPayable: boolean): VNode {
  const { reference, merchantName, branding } = session;
  return html`
    <div class="beside">
      ${isPayable && phone(reference)}
      ${help(merchantName, branding)}
      ${trust(accountOf(session)?.bankName)}
      ${!session.redirectUrl && closeButton()}
    </div>
  `;
}

/** For a window that another page opened, which gets no address back. Last, so that nothing moves when it appears. */
const closeButton = () =>
  html`<button class="button second" id="close" type="button" hidden>${PAGE.closeWindow}</button>`;

/** Visible only on wide screens, and loaded only there. */
function phone(reference: string): VNode {
  return html`
    <div class="phone">
      <h2>${PAGE.phone}</h2>
      <p>${PAGE.phoneHow}</p>
      <img src=${`/pay/${reference}/code.svg`} alt=${PAGE.code} width="168" height="168" loading="lazy" />
    </div>
  `;
}

export function help(merchantName: string, branding: Branding): VNode | null {
  const { support_email: email, support_phone: telephone } = branding;
  if (!email && !telephone) return null;
  return html`
    <div class="help">
      <p>${PAGE.questions(merchantName)}</p>
      ${email && html`<p><a class="link" href=${`mailto:${email}`}>${email}</a></p>`}
      ${telephone && html`<p><a class="link" href=${`tel:${telephone.replaceAll(/[^\d+]/g, "")}`}>${telephone}</a></p>`}
    </div>
  `;
}

/** Whose account it is, as far as it is known, and what is never asked for. */
export function trust(bankName?: string): VNode {
  return html`
    <div class="trust">
      <svg aria-hidden="true" viewBox="0 0 20 20" width="20" height="20">
        <path d="M6 9V6a4 4 0 0 1 8 0v3M5 9h10a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1Zm5 3.5v2" />
      </svg>
      <div>
        ${bankName && html`<p>${PAGE.bank(bankName)}</p>`}
        <p>${PAGE.never}</p>
      </div>
    </div>
  `;
}
