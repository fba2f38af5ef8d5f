import { html } from "htm/preact";
import type { VNode } from "preact";

export type FormField = {
  name: string;
  label: string;
  type: "text" | "email";
  autocomplete: string;
  inputmode?: "decimal";
  hint?: string;
  /** What to do when it cannot be taken. */
  mistake: string;
};

/** Asked of every payer nobody knows, on the checkout and on payment links alike. */
export const PAYER_FIELDS = [
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
] as const satisfies FormField[];

/** A field as it was typed, with what to do if it was not right. */
export function formField(field: FormField, value: string, isWrong: boolean): VNode {
  const { name, label, type, autocomplete, inputmode, hint, mistake } = field;
  const described = [...(hint ? [`${name}-hint`] : []), ...(isWrong ? [`${name}-mistake`] : [])].join(" ");
  return html`
    <div>
      <label for=${name}>${label}</label>
      ${hint && html`<p class="hint" id=${`${name}-hint`}>${hint}</p>`}
      ${isWrong && html`<p class="error" id=${`${name}-mistake`}>${mistake}</p>`}
      <input
        id=${name}
        name=${name}
        type=${type}
        autocomplete=${autocomplete}
        inputmode=${inputmode}
        value=${value}
        required
        aria-invalid=${isWrong ? "true" : undefined}
        aria-describedby=${described || undefined}
      />
    </div>
  `;
}

/** What stood in the named fields of a form, to be shown again as it was. */
export function typedIn<Name extends string>(body: Record<string, unknown>, names: readonly Name[]) {
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return new Map(names.map((name) => [name, text(body[name])]));
}
