import type { ProblemDocument } from "@collect/contracts";
import { html } from "htm/preact";
import { type Page, type Rendering, renderPage } from "./document.ts";

/**
 * The page that payers get instead of a problem document: what happened, what it means for their money, and what to do
 * next.
 */
export function renderNotice(rendering: Rendering, { status, code }: ProblemDocument): string {
  return renderPage(rendering, noticeOf(status, code));
}

function noticeOf(status: number, code: ProblemDocument["code"]): Page {
  if (code === "merchant_suspended" || code === "verification_required") {
    return notice(
      "This business can't take payments now",
      "Don't send money to it for this payment. Ask the business how to go on.",
      "If you have already sent money, it is safe: it will be credited to the business. Keep your bank's receipt.",
    );
  }
  if (status === 404) {
    return notice(
      "We can't find this payment",
      "Check the link, or ask the business that sent it to you for a new one.",
      "If you have already sent money, don't send it again. Keep your bank's receipt and show it to the business.",
    );
  }
  if (status === 429) {
    return notice(
      "Too many tries",
      "This page was asked for very often. Wait a minute, then load it again.",
      "If you have already sent money, it is safe: it will be credited whether this page is open or not.",
    );
  }
  if (status >= 500) {
    return notice(
      "We can't show this payment right now",
      "Wait a minute, then load this page again.",
      "If you have already sent money, it is safe: it will be credited and the business will be told. Don't send it again.",
    );
  }
  return notice(
    "That didn't work",
    "Go back to the payment's page and try again from there.",
    "Nothing was changed. If you have already sent money, it is safe, and you need not send it again.",
  );
}

/** A page with a title and a few sentences. */
export function notice(title: string, ...lines: string[]): Page {
  return {
    title,
    content: html`
      <section>
        <h1 id="state" class="notice" tabindex="-1">${title}</h1>
        ${lines.map((line) => html`<p>${line}</p>`)}
      </section>
    `,
  };
}
