import { z } from "zod";
import { EVENTS } from "./events.ts";
import type { FactEvent } from "./message.ts";

export type JsonSchema = { properties?: Record<string, unknown>; required?: string[] } & Record<string, unknown>;

/** The JSON Schema of a fact on the wire. */
export function schemaOf(event: FactEvent): JsonSchema {
  return z.toJSONSchema(event.data, { io: "input", unrepresentable: "any" }) as JsonSchema;
}

/**
 * The breaking changes between the recorded schemas and the contracts, one line each. `.v1` changes by addition only: of
 * optional fields, because stored rows and messages in flight lack them, and of enum values. A new subject is no breaking
 * change; a removed one is.
 */
export function breaksOf(recorded: Record<string, JsonSchema>): string[] {
  const current = new Map(EVENTS.map((event) => [event.subject, schemaOf(event)]));
  return Object.entries(recorded).flatMap(([subject, last]) => {
    const next = current.get(subject);
    return next ? differencesOf(last, next, subject) : [`${subject} is not declared any more`];
  });
}

function differencesOf(last: unknown, next: unknown, path: string): string[] {
  if (isObject(last) && isObject(next))
    return [
      ...constraintsIn(last, path).flatMap(([key, value]) => differencesOf(value, next[key], `${path}.${key}`)),
      ...narrowings(last, next, path),
    ];
  if (JSON.stringify(last) === JSON.stringify(next)) return [];
  const list = path.split(".").at(-1);
  if (Array.isArray(last) && Array.isArray(next) && (list === "required" || list === "enum"))
    return listDifferences(last, next, { list, path });
  return [`${path} was ${JSON.stringify(last)} and is ${JSON.stringify(next) ?? "gone"}`];
}

/** Constraints that the recorded schema does not have, such as a pattern: stored rows may not fulfill them. */
function narrowings(last: object, next: object, path: string): string[] {
  if (isListOfFields(path)) return [];
  return constraintsIn(next, path)
    .filter(([key]) => !(key in last))
    .map(([key, value]) => `${path} now demands ${key} ${JSON.stringify(value)}`);
}

/** A schema's keywords without those that only describe; of a list of fields, all. */
const constraintsIn = (schema: object, path: string): [string, unknown][] =>
  Object.entries(schema).filter(([key]) => isListOfFields(path) || !ANNOTATIONS.includes(key));
const isListOfFields = (path: string): boolean => path.endsWith(".properties");
const ANNOTATIONS = ["title", "description", "examples", "default", "deprecated"];

/** An enum may gain values; the required fields stay the same. */
function listDifferences(last: unknown[], next: unknown[], { list, path }: { list: string; path: string }): string[] {
  const gone = last.filter((value) => !next.includes(value)).map((value) => `${path} lacks ${value}`);
  const added = next.filter((value) => !last.includes(value));
  return list === "enum" ? gone : [...gone, ...added.map((name) => `${path} has ${name}: make it .optional()`)];
}

/** Values that the contracts add to enums of the recorded schemas, one line each. Consumers of the previous release refuse them. */
export function addedValues(recorded: Record<string, JsonSchema>): string[] {
  const current = new Map(EVENTS.map((event) => [event.subject, schemaOf(event)]));
  return Object.entries(recorded).flatMap(([subject, last]) => additionsTo(last, current.get(subject), subject));
}

function additionsTo(last: unknown, next: unknown, path: string): string[] {
  if (isObject(last) && isObject(next))
    return Object.entries(last).flatMap(([key, value]) => additionsTo(value, next[key], `${path}.${key}`));
  if (!path.endsWith(".enum") || !Array.isArray(last) || !Array.isArray(next)) return [];
  return next.filter((value) => !last.includes(value)).map((value) => `${path} has ${value}`);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** docs/events.md: every event in causal order, from the contracts alone. */
export function eventsDocument(): string {
  const rows = EVENTS.map(
    ({ subject, from, to, meaning }) => `| \`${subject}\` | ${from} → ${to.join(", ")} | ${meaning} |`,
  );
  return [
    "# Events",
    "",
    "Generated from `packages/contracts/src/events.ts` by `npm run document`; a test fails when it is out of date.",
    "",
    "Each message carries a JSON array of facts of one mode and one partition; the subject on the wire is",
    "`{subject}.{mode}.{partition}`. Kobo are integers written as strings, times RFC 3339 in UTC. Unknown fields are ignored; `.v1` changes",
    "by addition only. Facts are delivered at least once and in any order: a duplicate has the natural key of the first.",
    "",
    "| event | from → to | meaning |",
    "|---|---|---|",
    ...rows,
    ...EVENTS.flatMap(section),
    "",
  ].join("\n");
}

function section(event: FactEvent): string[] {
  const { properties = {}, required = [] } = schemaOf(event);
  const fields = Object.entries(properties).map(
    ([name, schema]) => `| \`${name}\` | ${typeOf(schema)} | ${required.includes(name) ? "" : "optional"} |`,
  );
  return [
    "",
    `## ${event.subject}`,
    "",
    `Natural key: \`${event.naturalKey}\`.`,
    "",
    "| field | type | |",
    "|---|---|---|",
    ...fields,
  ];
}

type Described = {
  type?: string;
  enum?: string[];
  const?: unknown;
  anyOf?: unknown[];
  format?: string;
  properties?: object;
  pattern?: string;
};

function typeOf(schema: unknown): string {
  const { type, enum: values, const: only, anyOf, format, properties, pattern } = schema as Described;
  if (only !== undefined) return `\`${only}\``;
  if (values) return values.map((value) => `\`${value}\``).join(" or ");
  if (anyOf) return anyOf.map(typeOf).join(" or ");
  if (properties) return `{ ${Object.keys(properties).join(", ")} }`;
  if (format === "date-time") return "time";
  if (type === "string" && pattern?.includes("\\d{0,14}")) return "kobo, positive";
  if (type === "string" && pattern?.includes("\\d{1,19}")) return "kobo";
  return type ?? "any";
}
