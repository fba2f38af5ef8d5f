import type { ProblemDocument } from "@collect/contracts";
import { html } from "htm/preact";
import { type Rendering, renderPage } from "./document.ts";
import { trust } from "./frame.ts";
import { NOTICES } from "./texts.ts";

/**
 * The page that payers get instead of a problem document: what happened, what it means for their money, and what to do
 * next.
 */
export function renderNotice(rendering: Rendering, problem: ProblemDocument): string {
  const [title, ...lines] = NOTICES[noticeOf(problem)];
  return renderPage(rendering, {
    title,
    content: html`
      <section>
        <h1 id="state" class="notice" tabindex="-1">${title}</h1>
        ${lines.map((line) => html`<p>${line}</p>`)}
      </section>
      ${trust()}
    `,
  });
}

function noticeOf({ status, code }: ProblemDocument): keyof typeof NOTICES {
  if (code === "merchant_suspended" || code === "verification_required") return "blocked";
  if (status === 404) return "unknown";
  if (status === 429) return "tooMany";
  return status >= 500 ? "down" : "refused";
}
