import type { z } from "zod";

const NUMBER = /^\d+(\.\d{1,2})?$/;

/** Converts digits in form fields to numbers where the schema takes a number and not a string. */
export function fromForm(schema: z.ZodObject, form: Record<string, unknown>): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...form };
  for (const [name, value] of Object.entries(form)) {
    const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    if (field && typeof value === "string" && NUMBER.test(value) && !field.safeParse(value).success)
      fields[name] = Number(value);
  }
  return fields;
}
