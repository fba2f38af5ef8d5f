import { bare, type JsonSchema } from "./json-schema.ts";
import { type Kind, type Message, verdictOn } from "./verdicts.ts";

/** What is refused, whatever the code does, and what the code must avoid until every process is of this release. */
export type Findings = { refused: string[]; reported: string[] };

/** What a change of a message's schema means while processes of the last release run beside those of this one. */
export function compare(message: Message, schemas: { path: string; last: JsonSchema; next: JsonSchema }): Findings {
  const { path, last, next } = schemas;
  return findings(changesIn(bare(last), bare(next), path).map((change) => ({ ...change, message })));
}

function findings(changes: (Change & { message: Message })[]): Findings {
  const lines = { refused: [] as string[], reported: [] as string[] };
  for (const { kind, what, message } of changes) {
    const verdict = verdictOn(kind, message);
    if (verdict) lines[verdict.is].push(`${what}. ${verdict.because}`);
  }
  return lines;
}

export const both = (all: Findings[]): Findings => ({
  refused: all.flatMap(({ refused }) => refused),
  reported: all.flatMap(({ reported }) => reported),
});

type Change = { kind: Kind; what: string };

function changesIn(last: JsonSchema, next: JsonSchema, path: string): Change[] {
  if (isSame(last, next)) return [];
  if (last.anyOf || next.anyOf) return alternativesIn(last.anyOf ?? [last], next.anyOf ?? [next], path);
  return [...fieldsIn(last, next, path), ...valuesIn(last, next, path), ...constraintsIn(last, next, path)];
}

function fieldsIn(last: JsonSchema, next: JsonSchema, path: string): Change[] {
  const { properties: lastFields = {}, required: lastRequired = [] } = last;
  const { properties: nextFields = {}, required: nextRequired = [] } = next;
  return namesIn(lastFields, nextFields).flatMap((name): Change[] => {
    const [field, was, is] = [`${path}.${name}`, lastFields[name], nextFields[name]];
    const [wasRequired, isRequired] = [lastRequired.includes(name), nextRequired.includes(name)];
    if (!was && isRequired) return [{ kind: "required field added", what: `${field} is new and required` }];
    if (!was) return [{ kind: "optional field added", what: `${field} is new` }];
    if (!is)
      return [{ kind: wasRequired ? "required field removed" : "optional field removed", what: `${field} is gone` }];
    return [
      ...(isRequired && !wasRequired ? [{ kind: "made required", what: `${field} has become required` } as const] : []),
      ...(wasRequired && !isRequired ? [{ kind: "made optional", what: `${field} has become optional` } as const] : []),
      ...changesIn(was, is, field),
    ];
  });
}

function valuesIn(last: JsonSchema, next: JsonSchema, path: string): Change[] {
  if (!last.enum && !next.enum) return [];
  if (!last.enum) return [{ kind: "narrowed", what: `${path} has become one of ${next.enum?.join(", ")}` }];
  if (!next.enum) return [{ kind: "value added", what: `${path} can have any value` }];
  const [was, is] = [last.enum, next.enum];
  const removed = was.filter((value) => !is.includes(value));
  const added = is.filter((value) => !was.includes(value));
  return [
    ...removed.map((value) => ({ kind: "value removed", what: `${path} cannot be ${value} any more` }) as const),
    ...added.map((value) => ({ kind: "value added", what: `${path} can be ${value}` }) as const),
  ];
}

/** Upper limits; every other limit is a lower one. */
const UPPER = ["maxLength", "maximum", "exclusiveMaximum", "maxItems", "maxProperties"];
const LOWER = ["minLength", "minimum", "exclusiveMinimum", "minItems", "minProperties"];
const NESTED: Record<string, string> = { items: "[]", additionalProperties: ".*", propertyNames: ".* (name)" };

function constraintsIn(last: JsonSchema, next: JsonSchema, path: string): Change[] {
  const known = ["properties", "required", "enum", "anyOf"];
  return namesIn(last, next)
    .filter((keyword) => !known.includes(keyword) && !isSame(last[keyword], next[keyword]))
    .flatMap((keyword): Change[] => {
      const [was, is] = [last[keyword], next[keyword]];
      if (keyword in NESTED && isSchema(was) && isSchema(is)) return changesIn(was, is, `${path}${NESTED[keyword]}`);
      const what = `${path}: ${keyword} was ${text(was)} and is ${text(is)}`;
      return [{ kind: kindOf(keyword, was, is), what }];
    });
}

function kindOf(keyword: string, was: unknown, is: unknown): Kind {
  if (was === undefined) return "narrowed";
  if (is === undefined) return keyword === "type" ? "type added" : "widened";
  const isRaised = Number(is) > Number(was);
  if (UPPER.includes(keyword)) return isRaised ? "widened" : "narrowed";
  if (LOWER.includes(keyword)) return isRaised ? "narrowed" : "widened";
  return "changed";
}

/** Each alternative is compared with the same of the other release, or with the first left of its kind. */
function alternativesIn(last: JsonSchema[], next: JsonSchema[], path: string): Change[] {
  const left = [...next];
  const take = (isIt: (one: JsonSchema) => boolean): JsonSchema | undefined => {
    const position = left.findIndex(isIt);
    return position === -1 ? undefined : left.splice(position, 1)[0];
  };
  const changed = last.filter((was) => !take((is) => isSame(was, is)));
  const compared = changed.flatMap((was): Change[] => {
    const is = take((one) => nameOf(one) === nameOf(was));
    if (is) return changesIn(was, is, path);
    return [{ kind: "value removed", what: `${path} cannot be ${nameOf(was)} any more` }];
  });
  const added = left.map((is): Change => {
    const kind = is.properties && last.some(({ properties }) => properties) ? "value added" : "type added";
    return { kind, what: `${path} can be ${nameOf(is)}` };
  });
  return [...compared, ...added];
}

/** What tells an alternative from the others: its type, and the fields that have one value. */
function nameOf({ type, properties = {} }: JsonSchema): string {
  const constants = Object.entries(properties).filter(([, field]) => field.enum?.length === 1);
  return [type ?? "anything", ...constants.map(([name, field]) => `${name} ${field.enum?.[0]}`)].join(" with ");
}

const namesIn = (last: object, next: object): string[] => [...new Set([...Object.keys(last), ...Object.keys(next)])];
const text = (value: unknown): string => (value === undefined ? "absent" : JSON.stringify(value));
const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null;

/** Equal, apart from the order of fields and of lists, which say nothing. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => JSON.stringify(sorted(each))).toSorted();
  if (!isSchema(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}
