export type JsonSchema = {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  enum?: unknown[];
  anyOf?: JsonSchema[];
} & Record<string, unknown>;

const ANNOTATIONS = ["$schema", "$defs", "id", "title", "description", "examples", "default", "deprecated"];

/**
 * A schema in one form, without what only describes: definitions in place, a constant as an enum of one value, several types and
 * `oneOf` as `anyOf`.
 */
export function bare(schema: JsonSchema, definitions = schema.$defs): JsonSchema {
  const { $ref, ...own } = schema;
  if (typeof $ref === "string")
    return bare({ ...Object(definitions)[$ref.replace("#/$defs/", "")], ...own }, definitions);
  const { type } = own;
  if (Array.isArray(type)) return { anyOf: type.map((one) => bare(ofType(own, one), definitions)) };
  const keywords = Object.entries(own).filter(([keyword]) => !ANNOTATIONS.includes(keyword));
  return Object.fromEntries(keywords.map(([keyword, value]) => bareKeyword(keyword, value, definitions)));
}

function ofType(schema: JsonSchema, type: string): JsonSchema {
  if (type === "null") return { type };
  return { ...schema, type, ...(schema.enum && { enum: schema.enum.filter((value) => value !== null) }) };
}

function bareKeyword(keyword: string, value: unknown, definitions: unknown): [string, unknown] {
  const within = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(within);
    return typeof part === "object" && part !== null ? bare(part as JsonSchema, definitions) : part;
  };
  if (keyword === "const") return ["enum", [value]];
  if (keyword === "oneOf") return ["anyOf", within(value)];
  if (keyword !== "properties") return [keyword, within(value)];
  return [keyword, Object.fromEntries(Object.entries(Object(value)).map(([name, field]) => [name, within(field)]))];
}
