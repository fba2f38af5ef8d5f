import type { SessionSnapshot } from "@collect/contracts";
import { html } from "htm/preact";
import type { VNode } from "preact";
import { formField, PAYER_FIELDS } from "./form-field.ts";
import { stateTitle } from "./parts.ts";

/** What was typed, and what of it cannot be taken. */
export type Typed = { values: ReadonlyMap<string, string>; wrong: ReadonlySet<string> };

/** Asked of a payer nobody knows yet, before the account is shown. The page never refreshes under somebody who is typing. */
export function detailsForm({ reference, merchantName }: SessionSnapshot, typed?: Typed): VNode {
  return html`
    <section>
      ${stateTitle("Who is paying?")}
      <p>
        <bdi>${merchantName}</bdi> needs your name and email to know whose payment this is and to reach you about it.
        Then we show you the account to pay into.
      </p>
      <form method="post" action=${`/pay/${reference}/details`} novalidate>
        ${PAYER_FIELDS.map((field) =>
          formField(field, typed?.values.get(field.name) ?? "", typed?.wrong.has(field.name) ?? false),
        )}
        <button class="button" id="continue" type="submit">Continue</button>
      </form>
    </section>
  `;
}
