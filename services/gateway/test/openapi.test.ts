import { KEY_SCOPES, type ProblemCode } from "@collect/contracts";
import { type ApiOperation, type ExpectedAnswer, readApiContract } from "@collect/testing";
import { expect, test } from "vitest";
import { type Endpoint, responseOf } from "../src/domain/endpoint.ts";
import { ENDPOINTS } from "../src/endpoints.ts";
import { openApiDocument } from "../src/openapi/document.ts";
import { type Answer, aShop, call, restrictedKeysOf, useGateway } from "./gateway.ts";
import { FORM } from "./hostile.ts";
import { aCall, asForm } from "./operations.ts";
import { useOthers } from "./others.ts";
import { drip, speak } from "./socket.ts";

const contract = readApiContract(openApiDocument(ENDPOINTS));
const withBodies = contract.operations.filter(({ requestBody }) => requestBody);

const driven = new Set<string>();

const { world, gateway } = await useGateway({ REQUEST_TIMEOUT_MS: "300" });
const others = await useOthers(world);
const shop = await aShop(world, { accounts: 10_000, reads: 10_000 });
const aShopKey = restrictedKeysOf(world, shop.id);

test.each(contract.operations)("$operationId gives every documented response, as documented", async (operation) => {
  for (const expected of contract.answersOf(operation)) {
    const answer = await provoke(operation, expected);
    expect([answer.status, answer.body.code ?? null], answer.text).toEqual([expected.status, expected.code]);
    expect(contract.faultsOf(operation, answer), answer.text).toEqual([]);
    driven.add(nameOf(operation, expected));
  }
});

test("no operation or response was left out", () => {
  const names = contract.operations.map(({ operationId }) => operationId);
  expect(names.sort()).toEqual(["getIndex", ...ENDPOINTS.map(({ name }) => name)].sort());
  const documented = contract.operations.flatMap((operation) =>
    contract.answersOf(operation).map((answer) => nameOf(operation, answer)),
  );
  expect([...driven].sort()).toEqual(documented.sort());
});

test.each(withBodies)("$operationId accepts as a form what it accepts as JSON", async (operation) => {
  const [json, form] = [await valid(operation), await aCall(contract, operation, { shop, gateway })];
  const answer = await call(gateway, operation.method, form.path, {
    key: form.key,
    body: asForm(form.body),
    type: FORM,
  });
  expect(answer.status, answer.text).toBe(json.status);
  expect(contract.faultsOf(operation, answer), answer.text).toEqual([]);
});

test.each(Object.entries(contract.document.components.schemas))("the example of %s is valid", (name, { examples }) => {
  for (const example of examples ?? []) expect(contract.faults(example, { $ref: name })).toBe("");
  const how = `${name} is a response or a request body: add .meta({ examples: [{ … }] }) to its schema in packages/contracts/src/merchant-api`;
  expect(examples?.length ?? 0, how).toBe(NO_EXAMPLE.has(name) ? 0 : 1);
});

test.each(Object.entries(contract.document.components.examples))(
  "the example of %s is a valid problem",
  (_code, { value }) => {
    expect(contract.faults(value, { $ref: "Problem" })).toBe("");
  },
);

test("bodies are closed and an undocumented field is a fault, so that these tests can fail", () => {
  const example = contract.document.components.schemas.Balance?.examples?.[0];
  expect(contract.faults({ ...Object(example), secret: 1 }, { $ref: "Balance" })).toContain("additional");
  expect(contract.faults({ ...Object(example), mode: "other" }, { $ref: "Balance" })).toContain("allowed values");
});

test.each(ENDPOINTS.filter(({ unavailable }) => !unavailable))(
  "the response of $name has an id and an example",
  (row) => {
    const { id, examples = [] } = responseOf(row).meta() ?? {};
    const how = "add .meta({ id, examples: [{ … }] }) to its schema in packages/contracts/src/merchant-api";
    expect(id, `the response of ${row.name} has no id: ${how}`).toBeDefined();
    expect(examples, `the response of ${row.name} has no example: ${how}`).toHaveLength(1);
  },
);

/** Schemas without an example of their own: the index describes itself, and a problem has an example per code. */
const NO_EXAMPLE = new Set(["ServiceIndex", "Problem"]);

const otherScopesThan = ({ security }: ApiOperation) => {
  const opening = security.flatMap(({ restricted_key: scopes }) => scopes);
  return KEY_SCOPES.filter((scope) => !opening.flat().includes(scope));
};

const nameOf = ({ operationId }: ApiOperation, { status, code }: ExpectedAnswer) => `${operationId} ${status} ${code}`;

async function valid(operation: ApiOperation): Promise<Answer> {
  const { path, key, body } = await aCall(contract, operation, { shop, gateway });
  return call(gateway, operation.method, path, { key, body: operation.method === "POST" ? body : undefined });
}

/** Makes the call that gets this response. Errors that depend on upstream data come from the simulated upstream service. */
async function provoke(operation: ApiOperation, { status, code }: ExpectedAnswer): Promise<Answer> {
  const { path, key, body } = await aCall(contract, operation, { shop, gateway });
  const send = (
    given: { key?: string; body?: unknown; type?: string; path?: string; headers?: Record<string, string> } = {},
  ) =>
    call(gateway, operation.method, given.path ?? path, {
      key,
      body: operation.method === "POST" ? body : undefined,
      ...given,
    });
  const refused = (by: ProblemCode) => {
    others.refuseWith(by);
    return send().finally(() => others.refuseWith(undefined));
  };
  switch (code) {
    case null:
      if (status === 200 && operation.responses[201]) await send();
      return send();
    case "invalid_api_key":
      return send({ key: undefined });
    case "secret_key_required":
      return send({ key: shop.pk_test });
    case "insufficient_scope":
      return send({ key: await aShopKey({ scopes: otherScopesThan(operation) }) });
    case "address_not_allowed":
      return send({ key: await aShopKey({ addresses: ["102.89.0.0/16"] }) });
    case "origin_not_allowed":
      return send({ headers: { origin: "https://shop.example" } });
    case "test_key_required":
      return send({ key: shop.sk_live });
    case "validation_failed": {
      const wrong = Object.fromEntries(Object.keys(body).map((name) => [name, {}]));
      return operation.method === "POST" ? send({ body: wrong }) : send({ path: `${path}?limit=x` });
    }
    case "malformed_body":
      return send({ body: "{" });
    case "body_too_large":
      return send({ body: { ...body, pad: "x".repeat(40_000) } });
    case "unsupported_media_type":
      return send({ type: "text/plain" });
    case "request_timeout":
      return speak(gateway, drip(path, key));
    case "rate_limited":
      return endpointOf(operation).budget ? send({ key: await spend(operation) }) : refused(code);
    default:
      return refused(code);
  }
}

const endpointOf = ({ operationId }: ApiOperation): Partial<Endpoint> =>
  ENDPOINTS.find(({ name }) => name === operationId) ?? {};
/** Uses up the budget of this operation, and returns the key whose budget is exhausted. */
async function spend(operation: ApiOperation): Promise<string> {
  const poor = await aShop(world, { accounts: 1, reads: 1 });
  const spent = await aCall(contract, operation, { shop: poor, gateway });
  const body = operation.method === "POST" ? {} : undefined;
  await call(gateway, operation.method, spent.path, { key: poor.sk_test, body });
  return poor.sk_test;
}
