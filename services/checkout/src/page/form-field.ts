import { html } from "htm/preact";
import type { VNode } from "preact";
import { FIELDS } from "./texts.ts";

export type FormField = {
  name: string;
  label: string;
  type: "text" | "email";
  autocomplete: string;
  inputmode?: "decimal";
  hint?: string;
  /** What to do if the value is invalid. */
  mistake: string;
};

/** Required from every anonymous payer, on the checkout and on payment links. */
export const PAYER_FIELDS = [
  { name: "name", type: "text", autocomplete: "name", ...FIELDS.name },
  { name: "email", type: "email", autocomplete: "email", ...FIELDS.email },
] as const satisfies FormField[];

/** A field with its submitted value, and its mistake if that was invalid. */
export function formField(field: FormField, value: string, isInvalid: boolean): VNode {
  const { name, label, type, autocomplete, inputmode, hint, mistake } = field;
  const described = [...(hint ? [`${name}-hint`] : []), ...(isInvalid ? [`${name}-mistake`] : [])].join(" ");
  return html`
    <div>
      <label for=${name}>${label}</label>
      ${hint && html`<p class="hint" id=${`${name}-hint`}>${hint}</p>`}
      ${isInvalid && html`<p class="error" id=${`${name}-mistake`}>${mistake}</p>`}
      <input
        id=${name}
        name=${name}
        type=${type}
        autocomplete=${autocomplete}
        inputmode=${inputmode}
        value=${value}
        required
        aria-invalid=${isInvalid ? "true" : undefined}
        aria-describedby=${described || undefined}
      />
    </div>
  `;
}

/** The submitted values of the named fields, which are shown again unchanged. */
export function submittedValues<Name extends string>(body: Record<string, unknown>, names: readonly Name[]) {
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return new Map(names.map((name) => [name, text(body[name])]));
}
