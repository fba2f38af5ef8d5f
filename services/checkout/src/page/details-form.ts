import type { SessionSnapshot } from "@collect/contracts";
import { html } from "htm/preact";
import type { VNode } from "preact";
import { stateTitle } from "./components.ts";
import { formField, PAYER_FIELDS } from "./form-field.ts";

/** The submitted values, and the names of the invalid ones. */
export type FormInput = { values: ReadonlyMap<string, string>; invalid: ReadonlySet<string> };

/** Shown to an anonymous payer before the account. The page never refreshes while it shows a form. */
export function detailsForm({ reference, merchantName }: SessionSnapshot, input?: FormInput): VNode {
  return html`
    <section>
      ${stateTitle("Who is paying?")}
      <p>
        <bdi>${merchantName}</bdi> needs your name and email to know whose payment this is and to reach you about it.
        Then we show you the account to pay into.
      </p>
      <form method="post" action=${`/pay/${reference}/details`} novalidate>
        ${PAYER_FIELDS.map((field) =>
          formField(field, input?.values.get(field.name) ?? "", input?.invalid.has(field.name) ?? false),
        )}
        <button class="button" id="continue" type="submit">Continue</button>
      </form>
    </section>
  `;
}
