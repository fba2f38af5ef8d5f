import {
  Balance,
  Bank,
  BankList,
  CheckoutSession,
  CustomerAccount,
  CustomerAccountList,
  OpenedCheckout,
  Payment,
  ResolvedAccount,
  SimulationResult,
  Transfer,
  TransferList,
  WebhookEvent,
} from "@collect/contracts";
import { z } from "zod";
import type { Endpoint } from "../../endpoints.ts";
import { EXAMPLES } from "./examples.ts";
import { fieldsOf } from "./fields.ts";
import { ProblemBody } from "./problems.ts";

export type JsonObject = Record<string, unknown>;

/** What `GET /` answers. */
const ServiceIndex = z.object({
  name: z.string(),
  version: z.literal("v1"),
  docs: z.url().nullable().meta({ description: "Null until there is a public address." }),
  endpoints: z.array(z.string().regex(/^[A-Z]+ \/\S*$/)),
});

/** Shapes that have a name of their own, wherever they stand. */
const NAMED = {
  Balance,
  CustomerAccount,
  CustomerAccountList,
  Payment,
  Bank,
  BankList,
  ResolvedAccount,
  Transfer,
  TransferList,
  SimulationResult,
  CheckoutSession,
  OpenedCheckout,
  ServiceIndex,
  Problem: ProblemBody,
};

/** What stands in the JSON: amounts are numbers there, whatever they become inside. */
const IN_JSON = { io: "input", unrepresentable: "any", override: tidy } as const;
const WHOLE_NUMBER = "^\\d{1,9}$";

/** All of them, referring to each other by name, with an example each. */
export function componentSchemas(endpoints: readonly Endpoint[]): Record<string, JsonObject> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });
  for (const event of WebhookEvent.options) registry.add(event, { id: webhookName(event.shape.event.value) });
  for (const endpoint of endpoints.filter(({ method }) => method === "POST"))
    registry.add(fieldsOf(endpoint), { id: bodyName(endpoint) });
  const { schemas } = z.toJSONSchema(registry, { ...IN_JSON, uri: (id) => refTo(id).$ref });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => {
      const example = EXAMPLES[name];
      return [name, example === undefined ? schema : { ...schema, examples: [example] }];
    }),
  );
}

export const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The name of the shape that an endpoint answers with. */
export function answerName({ name, request, created }: Endpoint): string {
  const answer = created && request.output instanceof z.ZodObject ? request.output.shape[created] : request.output;
  const [found] = Object.entries(NAMED).find(([, schema]) => schema === answer) ?? [];
  if (!found) throw new Error(`the answer of ${name} has no name`);
  return found;
}

/** `openPayment` takes an `OpenPaymentBody`. */
export const bodyName = ({ name }: Endpoint) => `${name.charAt(0).toUpperCase()}${name.slice(1)}Body`;

/** `collection.success` brings a `CollectionSuccessEvent`. */
export const webhookName = (kind: string) =>
  `${kind
    .split(".")
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join("")}Event`;

/** The schema of one field, for a parameter. */
export function schemaOf(schema: z.ZodType): JsonObject {
  const { $schema, ...rest } = z.toJSONSchema(schema, IN_JSON);
  return rest;
}

/** Leaves out what only a machine would read, and says what a query string's digits are. */
function tidy({ jsonSchema }: { jsonSchema: JsonObject }): void {
  if (jsonSchema.format) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.pattern !== WHOLE_NUMBER) return;
  delete jsonSchema.pattern;
  Object.assign(jsonSchema, { type: "integer", minimum: 0 });
}
