import { resolved, type Schema } from "./document.ts";

/** The fields of an object as a list, those of objects in it as lists in the list. In a body, says which ones are required. */
export function fieldList(schema: Schema, { isBody = false, indent = "" } = {}): string {
  const { properties = {}, required = [] } = resolved(schema);
  return Object.entries(properties)
    .map(([name, field]) => {
      const isRequired = required.includes(name);
      const presence = isBody ? (isRequired ? ", required" : "") : isRequired ? "" : ", may be absent";
      const line = `${indent}- **\`${name}\`** *${typeOf(field)}${presence}*. ${indented(descriptionOf(field), indent)}`;
      const inner = objectIn(field);
      return inner ? `${line}\n\n${fieldList(inner, { isBody, indent: `${indent}  ` })}\n` : line;
    })
    .join("\n");
}

/** The example of a schema, as it is in the document. */
export const exampleOf = (schema: Schema): unknown => resolved(schema).examples?.[0];

function typeOf(field: Schema): string {
  const { type, anyOf, items, enum: values, format, ...rest } = resolved(field);
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(" or ");
  if ("const" in rest) return `\`${rest.const}\``;
  if (values) return values.map((value) => `\`${value}\``).join(", ");
  if (items) return `array of ${typeOf(items)}`;
  const names = [type ?? "any"].flat();
  return names.map((name) => (name === "string" && format === "date-time" ? "time" : name)).join(" or ");
}

const descriptionOf = (field: Schema): string => resolved(field).description ?? "";

/** The paragraphs and lists of a description belong to the field that it describes. */
const indented = (text: string, indent: string) => text.replaceAll("\n", `\n${indent}  `);

/** The object that a field is, or that its values or items are. Pages show what their rows are once, in the operation of one row. */
function objectIn(field: Schema): Schema | undefined {
  const { anyOf, items, properties } = resolved(field);
  if (properties) return field;
  return items ? objectIn(items) : anyOf?.map(objectIn).find((inner) => inner !== undefined);
}
