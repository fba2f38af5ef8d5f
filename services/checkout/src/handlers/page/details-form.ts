import type { SessionSnapshot } from "@collect/contracts";
import { html } from "htm/preact";
import { type Page, renderPage } from "./document.ts";
import { heading } from "./parts.ts";

/** What was typed, and what of it cannot be taken. */
export type Typed = { name: string; email: string; wrong: ReadonlySet<string> };

const FIELDS = [
  {
    name: "name",
    label: "Your name",
    type: "text",
    autocomplete: "name",
    mistake: "Enter your name, up to 100 characters.",
  },
  {
    name: "email",
    label: "Your email address",
    type: "email",
    autocomplete: "email",
    mistake: "Enter an email address, such as name@example.com.",
  },
] as const;

/** Asked of a payer nobody knows yet, before the account is shown. The page never refreshes under somebody who is typing. */
export function detailsPage(session: SessionSnapshot): Page {
  return form(session, { name: "", email: "", wrong: new Set() });
}

export function renderDetailsAgain(session: SessionSnapshot, typed: Typed): string {
  return renderPage(form(session, typed));
}

function form(session: SessionSnapshot, typed: Typed): Page {
  const { reference, merchantName } = session;
  return {
    title: `${typed.wrong.size > 0 ? "Check what you typed: " : ""}Pay ${merchantName}`,
    isTest: session.merchant.mode === "test",
    content: html`
      ${heading(session)}
      <section>
        <h2>Who is paying?</h2>
        <p>
          <bdi>${merchantName}</bdi> needs your name and email to know whose payment this is and to reach you about it.
          Then we show you the account to pay into.
        </p>
        <form method="post" action=${`/pay/${reference}/details`} novalidate>
          ${FIELDS.map((field) => input(field, typed))}
          <button class="button" type="submit">Continue</button>
        </form>
      </section>
    `,
  };
}

function input({ name, label, type, autocomplete, mistake }: (typeof FIELDS)[number], typed: Typed) {
  const isWrong = typed.wrong.has(name);
  const mistakeId = `${name}-mistake`;
  return html`
    <div>
      <label for=${name}>${label}</label>
      ${isWrong && html`<p class="error" id=${mistakeId}>${mistake}</p>`}
      <input
        id=${name}
        name=${name}
        type=${type}
        autocomplete=${autocomplete}
        value=${typed[name]}
        required
        aria-invalid=${isWrong ? "true" : undefined}
        aria-describedby=${isWrong ? mistakeId : undefined}
      />
    </div>
  `;
}
