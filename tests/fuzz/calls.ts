import type { ApiContract, ApiOperation } from "@collect/testing";
import fc from "fast-check";
import { accepted, BROKEN_BODIES, HOSTILE, type Schema } from "./values.ts";

/** A value to send, or the nth of those that responses contained under this name. */
export type Value = { value: unknown } | { known: number };
export type Key = "right" | "none" | "public" | "unknown" | "malformed";
export type Call = {
  operation: ApiOperation;
  /** Whether it is what the document describes. */
  isValid: boolean;
  key: Key;
  path: Record<string, Value>;
  query: [name: string, value: Value][];
  body: { fields: [name: string, value: Value][]; asForm: boolean } | { text: string; type: string } | undefined;
};

/** Calls of every operation of the document: as it describes them, and with up to three faults. */
export function calls(contract: ApiContract): fc.Arbitrary<Call> {
  return fc.oneof(
    ...contract.operations.map((operation) => {
      const valid = validCall(operation, bodyOf(contract, operation));
      return fc.oneof(valid, broken(valid));
    }),
  );
}

function bodyOf({ document }: ApiContract, { requestBody }: ApiOperation): Body | undefined {
  const name = requestBody?.content["application/json"]?.schema.$ref.split("/").at(-1) ?? "";
  return requestBody && (document.components.schemas[name] as Body);
}
type Body = { properties: Record<string, Schema>; required?: string[] };

/** References are mostly of things that exist. */
const REFERENCES = /reference$|^id$|^after$|^account_number$|^bank_code$/;

function value(name: string, schema: Schema): fc.Arbitrary<Value> {
  // A response that is held would only take time.
  const own = name === "wait" ? fc.constantFrom(0, 1) : accepted(schema);
  const made = own.map((each): Value => ({ value: each }));
  const known = fc.nat(1_000).map((n): Value => ({ known: n }));
  return REFERENCES.test(name) ? fc.oneof({ weight: 2, arbitrary: known }, made) : made;
}

function validCall(operation: ApiOperation, body: Body | undefined): fc.Arbitrary<Call> {
  const inPath = operation.parameters.filter((parameter) => parameter.in === "path");
  const inQuery = operation.parameters.filter((parameter) => parameter.in === "query");
  const named = (parameters: typeof inPath) =>
    Object.fromEntries(parameters.map(({ name, schema }) => [name, value(name, schema)]));
  const properties = Object.entries(body?.properties ?? {});
  const fields = Object.fromEntries(properties.map(([name, schema]) => [name, value(name, schema)]));
  return fc.record({
    operation: fc.constant(operation),
    isValid: fc.constant(true),
    key: fc.constant("right" as const),
    path: fc.record(named(inPath)),
    query: fc.record(named(inQuery), { requiredKeys: [] }).map(pairsOf),
    body: body
      ? fc.record({
          fields: fc.record(fields, { requiredKeys: body.required ?? [] }).map(pairsOf),
          asForm: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
        })
      : fc.constant(undefined),
  });
}

const pairsOf = (given: Record<string, Value | undefined>) =>
  Object.entries(given).flatMap(([name, value]): [string, Value][] => (value ? [[name, value]] : []));

type Damage = (call: Call) => Call;

function broken(valid: fc.Arbitrary<Call>): fc.Arbitrary<Call> {
  return fc
    .tuple(valid, fc.array(damages(), { minLength: 1, maxLength: 3 }))
    .map(([call, done]) => done.reduce((damaged: Call, damage) => damage(damaged), { ...call, isValid: false }));
}

function damages(): fc.Arbitrary<Damage> {
  const hostile = HOSTILE.map((each): Value => ({ value: each }));
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.nat(), hostile).map(([at, each]) => inField(at, each)) },
    { weight: 2, arbitrary: fc.nat().map(withoutField) },
    { weight: 2, arbitrary: fc.tuple(fc.nat(), hostile).map(([at, each]) => inPath(at, each)) },
    { weight: 4, arbitrary: fc.tuple(fc.nat(), hostile).map(([at, each]) => inQuery(at, each)) },
    {
      weight: 1,
      arbitrary: hostile.map(
        (each): Damage =>
          (call) => ({ ...call, query: [...call.query, ["x", each]] }),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...BROKEN_BODIES).map(
        (body): Damage =>
          (call) =>
            call.body ? { ...call, body } : call,
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Key>("none", "public", "unknown", "malformed").map(
        (key): Damage =>
          (call) => ({ ...call, key }),
      ),
    },
  );
}

const inField =
  (at: number, value: Value): Damage =>
  (call) => {
    if (!call.body || !("fields" in call.body) || call.body.fields.length === 0) return call;
    const index = at % call.body.fields.length;
    const fields = call.body.fields.map(([name, was], n): [string, Value] => [name, n === index ? value : was]);
    return { ...call, body: { ...call.body, fields } };
  };

const withoutField =
  (at: number): Damage =>
  (call) => {
    if (!call.body || !("fields" in call.body) || call.body.fields.length === 0) return call;
    const index = at % call.body.fields.length;
    return { ...call, body: { ...call.body, fields: call.body.fields.filter((_, n) => n !== index) } };
  };

const inPath =
  (at: number, value: Value): Damage =>
  (call) => {
    const names = Object.keys(call.path);
    const name = names[at % names.length];
    return name === undefined ? call : { ...call, path: { ...call.path, [name]: value } };
  };

/** Also one parameter twice. */
const inQuery =
  (at: number, value: Value): Damage =>
  (call) => {
    const names = call.operation.parameters.filter(
      (parameter) => parameter.in === "query" && parameter.name !== "wait",
    );
    const name = names[at % names.length]?.name;
    return name === undefined ? call : { ...call, query: [...call.query, [name, value]] };
  };
