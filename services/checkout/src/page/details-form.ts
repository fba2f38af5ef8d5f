import type { ProofChallenge, SessionSnapshot } from "@collect/contracts";
import { formatNaira } from "@collect/money";
import { html } from "htm/preact";
import type { VNode } from "preact";
import { stateTitle } from "./components.ts";
import { formField, PAYER_FIELDS } from "./form-field.ts";
import { wayBack } from "./frame.ts";
import { DETAILS } from "./texts.ts";

/** The submitted values, the names of the invalid ones, and why it was not accepted for now. */
export type FormInput = {
  values: ReadonlyMap<string, string>;
  invalid: ReadonlySet<string>;
  /** The script solves it and submits the form again. */
  proof?: ProofChallenge | undefined;
  /** No exact amount is free at the moment. */
  isFull?: boolean;
};

/** Shown to an anonymous payer before the account. The page never refreshes while it shows a form. */
export function detailsForm(session: SessionSnapshot, input?: FormInput): VNode {
  const { reference, merchantName, amount, hasAccount } = session;
  return html`
    <section>
      <p class="price">${formatNaira(amount)}</p>
      ${hasAccount === false && html`<p class="why">${DETAILS.madeExact}</p>`}
      ${stateTitle(DETAILS.heading)}
      <p>${DETAILS.why(merchantName)} ${DETAILS.next}</p>
      ${input?.isFull && html`<p class="attention" role="alert">${DETAILS.full}</p>`}
      ${input?.proof && busy()}
      <form method="post" action=${`/pay/${reference}/details`} novalidate ...${challengeOf(input)}>
        ${PAYER_FIELDS.map((field) =>
          formField(field, input?.values.get(field.name) ?? "", input?.invalid.has(field.name) ?? false),
        )}
        <button class="button" id="continue" type="submit">${DETAILS.submit}</button>
      </form>
      ${wayBack(session)}
    </section>
  `;
}

/** Shown while the script works on the proof, a second or less; without script the payer can only wait. */
export function busy(): VNode {
  return html`
    <p class="attention" role="status">${DETAILS.busy}</p>
    <noscript><p>${DETAILS.busyWithoutScript}</p></noscript>
  `;
}

/** The attributes of a form that the script submits once it has solved them. */
export function challengeOf(input: FormInput | undefined): Record<string, string | number> {
  return input?.proof ? { "data-challenge": input.proof.challenge, "data-difficulty": input.proof.difficulty } : {};
}
