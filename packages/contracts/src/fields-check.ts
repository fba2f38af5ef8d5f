import { z } from "zod";
import { type FieldError, invalidFields } from "./problem.ts";

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];
export type CheckedFields<Schema extends z.ZodType> =
  | { success: true; data: z.output<Schema> }
  | { success: false; errors: FieldError[] };

/** The parsed fields of a caller, or a sentence about each invalid one: `amount` + "must be greater than 0". */
export function checkFields<Schema extends z.ZodType>(schema: Schema, fields: unknown): CheckedFields<Schema> {
  const { success, data, error } = schema.safeParse(fields, { error: messageOf });
  const lost = lostKeys(schema, fields);
  if (success && lost.length === 0) return { success, data };
  const errors = (error?.issues ?? []).map(errorOf);
  return { success: false, errors: [...lost, ...errors].slice(0, ERRORS_MAX) };
}

/** The library leaves this key out of what it parses: what a caller sends under it would be lost unnoticed. */
function lostKeys(schema: z.ZodType, fields: unknown): FieldError[] {
  const given: Record<string, unknown> = Object(fields);
  const names = Object.keys(schema instanceof z.ZodObject ? schema.shape : {});
  const message = "has a name that is not allowed: it must not be __proto__";
  return names
    .filter((name) => Object.hasOwn(given, name) && Object.hasOwn(Object(given[name]), "__proto__"))
    .map((name) => ({ param: `${name}.__proto__`, code: "invalid_key", message }));
}

const errorOf = (issue: z.core.$ZodIssue): FieldError => ({
  param: nameOf(issue.path),
  code: codeOf(issue),
  message: issue.message,
});

/** The code of a rule of our own is in its `params`: `.refine(…, { message, params: { code: "too_small" } })`. */
function codeOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== "custom") return issue.code;
  return typeof issue.params?.code === "string" ? issue.params.code : "invalid";
}

/** What a caller sends can have thousands of keys, of any length and with any character. */
const ERRORS_MAX = 50;
const nameOf = (path: PropertyKey[]) =>
  path
    .join(".")
    .slice(0, 120)
    .replace(/[\p{Cc}\p{Cs}]/gu, "?");

/** The parsed fields of a caller. Throws `validation_failed`, which names each invalid one. */
export function parseFields<Schema extends z.ZodType>(schema: Schema, fields: unknown): z.output<Schema> {
  const checked = checkFields(schema, fields);
  if (!checked.success) throw invalidFields(checked.errors);
  return checked.data;
}

/** What would be right, for every kind of fault. A message of the schema itself takes precedence. */
function messageOf(issue: RawIssue): string {
  if (issue.input === undefined && MISSING.has(issue.code)) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${nounOf(issue.expected)}`;
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "invalid_format":
      return FORMATS[issue.format] ?? "has a character or a length that is not allowed here";
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return `must ${sizeOf(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum)}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `has no field ${issue.keys.join(", ")}`;
    case "invalid_key":
      return `has a name that is not allowed: it ${issue.issues[0]?.message ?? "is malformed"}`;
    case "invalid_element":
      return `has a value that is not allowed: it ${issue.issues[0]?.message ?? "is malformed"}`;
    case "invalid_union":
      return alternatives(issue.errors);
    default:
      return "has a value that is not allowed";
  }
}

/** Where no value at all is a fault of its own. */
const MISSING = new Set<string>(["invalid_type", "invalid_value", "invalid_union"]);

const NOUNS: Record<string, string> = {
  string: "a string",
  number: "a number such as 2500.73",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object of fields",
  record: "an object of fields",
  null: "null",
};
const nounOf = (expected: string) => NOUNS[expected] ?? `a ${expected}`;

const FORMATS: Record<string, string> = {
  datetime: "must be a time with an offset, such as 2026-11-21T08:30:00Z; in a URL, send + as %2B",
  date: "must be a date such as 2026-11-21",
  email: "must be an email address",
  url: "must be a URL such as https://example.com/paid",
  uuid: "must be a UUID",
};

function tooSmall({ origin, inclusive, minimum }: Extract<RawIssue, { code: "too_small" }>): string {
  if (origin === "string" && minimum === 1) return "must not be empty";
  return `must ${sizeOf(origin, inclusive === false ? "greater than" : "at least", minimum)}`;
}

/** `be at most 50`, `be at most 500 characters`, `have at most 20 items`. */
function sizeOf(origin: string, relation: string, size: number | bigint): string {
  const text = `${relation} ${size.toLocaleString("en")}`;
  const plural = Number(size) === 1 ? "" : "s";
  if (origin === "string") return `be ${text} character${plural}`;
  return ["array", "set", "map"].includes(origin) ? `have ${text} item${plural}` : `be ${text}`;
}

/** What each alternative would have taken; if the value has the type of some, what those say. */
function alternatives(errors: readonly z.core.$ZodIssue[][]): string {
  const first = errors.flatMap((issues) => issues.slice(0, 1));
  const ofItsType = first.filter(({ code }) => code !== "invalid_type");
  const messages = (ofItsType.length > 0 ? ofItsType : first).map(({ message }) => message);
  return [...new Set(messages)].join(", or ") || "has a value that is not allowed";
}
