import { z } from "zod";
import { both, compare, type Findings } from "./compatibility.ts";
import { EVENTS } from "./events.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { FactEvent } from "./message.ts";

/** The JSON Schema of a fact on the wire. */
export function schemaOf(event: FactEvent): JsonSchema {
  return z.toJSONSchema(event.data, { io: "input", unrepresentable: "any" }) as JsonSchema;
}

/** What the changes of events since the recorded schemas mean for stored facts, and for consumers of the last release. */
export function findingsOfEvents(recorded: Record<string, JsonSchema>): Findings {
  const current = new Map(EVENTS.map((event) => [event.subject, schemaOf(event)]));
  return both(
    Object.entries(recorded).map(([path, last]) => {
      const next = current.get(path);
      return next
        ? compare("event", { path, last, next })
        : { refused: [`${path} is not declared any more.`], reported: [] };
    }),
  );
}

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
