import { checkFields, invalidFields, notFound } from "@collect/contracts";
import type { z } from "zod";

type Fields = Record<string, unknown>;

/** The object's own properties that are fields of the schema; all others are ignored. */
export function pickFields({ shape }: z.ZodObject, given: Fields): Fields {
  const names = Object.keys(shape).filter((name) => Object.hasOwn(given, name));
  return Object.fromEntries(names.map((name) => [name, given[name]]));
}

/** The fields without those that are null: in a body of the merchant API, null is as good as absent. */
export function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/**
 * Throws validation_failed for invalid fields, and not_found for malformed parameters of the path: a malformed reference is
 * treated like one that does not exist.
 */
export function assertFields(
  schema: z.ZodObject,
  fields: Fields,
  { inPath, isAddressable }: { inPath: Fields; isAddressable: (text: string) => boolean },
): void {
  const checked = checkFields(schema, fields);
  const errors = checked.success ? [] : checked.errors;
  const inFields = errors.filter(({ param }) => !Object.hasOwn(inPath, param));
  if (inFields.length > 0) throw invalidFields(inFields);
  if (errors.length > 0 || !Object.values(inPath).every((value) => isAddressable(String(value)))) throw notFound();
}
