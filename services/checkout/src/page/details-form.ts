import type { ProofChallenge, SessionSnapshot } from "@collect/contracts";
import { html } from "htm/preact";
import type { VNode } from "preact";
import { stateTitle } from "./components.ts";
import { formField, PAYER_FIELDS } from "./form-field.ts";

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
export function detailsForm({ reference, merchantName }: SessionSnapshot, input?: FormInput): VNode {
  return html`
    <section>
      ${stateTitle("Who is paying?")}
      <p>
        <bdi>${merchantName}</bdi> needs your name and email to know whose payment this is and to reach you about it.
        Then we show you the account to pay into.
      </p>
      ${input?.isFull && html`<p class="attention" role="alert">${FULL}</p>`}
      ${input?.proof && busy()}
      <form method="post" action=${`/pay/${reference}/details`} novalidate ...${challengeOf(input)}>
        ${PAYER_FIELDS.map((field) =>
          formField(field, input?.values.get(field.name) ?? "", input?.invalid.has(field.name) ?? false),
        )}
        <button class="button" id="continue" type="submit">Continue</button>
      </form>
    </section>
  `;
}

const FULL =
  "Many people are paying this amount right now. Nothing was stored and there is nothing to send yet: press Continue again in a few minutes, or from another network.";

/** Shown while the script works on the proof, a second or less; without script the payer can only wait. */
export function busy(): VNode {
  return html`
    <p class="attention" role="status">Many payments are being started. Your device does a short check, then this page continues by itself.</p>
    <noscript><p>The check needs JavaScript. Switch it on and press Continue, or try again in an hour.</p></noscript>
  `;
}

/** The attributes of a form that the script submits once it has solved them. */
export function challengeOf(input: FormInput | undefined): Record<string, string | number> {
  return input?.proof ? { "data-challenge": input.proof.challenge, "data-difficulty": input.proof.difficulty } : {};
}
