import { z } from "zod";
import { EVENTS } from "./events.ts";
import type { FactEvent } from "./message.ts";

type JsonSchema = { properties?: Record<string, unknown>; required?: string[] } & Record<string, unknown>;

/** What a fact looks like on the wire, as JSON Schema. */
export function schemaOf(event: FactEvent): JsonSchema {
  return z.toJSONSchema(event.data, { io: "input", unrepresentable: "any" }) as JsonSchema;
}

/** docs/events.md: every event in causal order, from the contracts alone. */
export function eventsDocument(): string {
  const rows = EVENTS.map(
    ({ subject, from, to, meaning }) => `| \`${subject}\` | ${from} → ${to.join(", ")} | ${meaning} |`,
  );
  return [
    "# Events",
    "",
    "Generated from `packages/contracts/src/events.ts` by `pnpm --filter @collect/contracts document`; a test keeps it true.",
    "",
    "Each message carries a JSON array of facts of one mode and one partition; the subject on the wire is",
    "`{subject}.{mode}.{partition}`. Kobo are integers in digits, times RFC 3339 in UTC. Unknown fields pass; `.v1` changes",
    "by addition only. Facts come at least once and in any order: the natural key tells a repeat.",
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
