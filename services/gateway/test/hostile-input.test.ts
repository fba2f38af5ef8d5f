import { readApiContract } from "@collect/testing";
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { newApiKey } from "../src/domain/api-key.ts";
import { type Endpoint, fieldsOf, parametersOf } from "../src/domain/endpoint.ts";
import { ENDPOINTS } from "../src/endpoints.ts";
import { openApiDocument } from "../src/openapi/document.ts";
import { type Answer, aRestrictedKey, aShop, call, useGateway } from "./gateway.ts";
import { BODIES, FORM, FORM_AMOUNTS, JSON_FIELDS, JSON_TYPES, LIBRARY_WORDS, REFERENCES } from "./hostile.ts";
import { aSessionReference, asForm } from "./operations.ts";
import { useOthers } from "./others.ts";
import { head, speak } from "./socket.ts";

/** Every invalid call of every operation: the exact status and code of the error, and that nothing was forwarded. */

const contract = readApiContract(openApiDocument(ENDPOINTS));
const posts = ENDPOINTS.filter(({ method }) => method === "POST");
const withFields = posts.filter((endpoint) => Object.keys(fieldsOf(endpoint).shape).length > 0);
const withAmount = posts.filter((endpoint) => "amount" in fieldsOf(endpoint).shape);
const withReference = ENDPOINTS.filter(({ path }) => path.includes(":"));

const { world, gateway } = await useGateway({ REQUEST_TIMEOUT_MS: "300" });
const others = await useOthers(world);
const shop = await aShop(world, { accounts: 10_000, reads: 10_000 });
const restricted = await aRestrictedKey(world, shop.id);
const customer = { customer_reference: "cust_1", customer_name: "Ada" };
await call(gateway, "POST", "/customer_accounts", { key: shop.sk_test, body: customer });

beforeEach(() => {
  others.asked.length = 0;
});

const keyFor = ({ key }: Endpoint) => ({ secret: shop.sk_test, public: shop.pk_test, none: undefined })[key];
const pathOf = ({ path }: Endpoint, reference = aSessionReference()) =>
  path.replace(":customer_reference", reference.startsWith("pay_") ? "cust_1" : reference).replace(/:\w+/g, reference);
/** The JSON type of a field. */
const typeOf = (schema: z.ZodType) => String(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }).type);
const exampleOf = ({ name }: Endpoint) => {
  const operation = contract.operations.find(({ operationId }) => operationId === name);
  return operation ? contract.exampleBody(operation) : {};
};
async function send(endpoint: Endpoint, body: unknown, type?: string): Promise<Answer> {
  const answer = await call(gateway, endpoint.method, pathOf(endpoint), { key: keyFor(endpoint), body, type });
  // What only looks for an earlier call was not forwarded.
  const lookup = Object.keys(endpoint.findRepeated?.input.shape ?? {});
  const isForwarded = (asked: object) => Object.keys(asked).some((field) => !lookup.includes(field));
  if (endpoint.findRepeated) others.asked.splice(0, Number.POSITIVE_INFINITY, ...others.asked.filter(isForwarded));
  return answer;
}

/** Refused with this status and code, in the format of every error, without internals; and nothing was forwarded to an upstream service. */
function expectRefusal(answer: Answer, status: number, code: string, what: string): void {
  expect([answer.status, answer.body.code], `${what}: ${answer.text}`).toEqual([status, code]);
  expect(answer.headers.get("content-type"), what).toContain("application/problem+json");
  expect(answer.text, what).not.toMatch(/\\n|\bat \S+ \(|\.ts\b|node_modules|node:|[A-Z]\w+Error/);
  expect(others.asked, what).toEqual([]);
}

test.each(posts)("$name refuses every body that cannot be parsed", async (endpoint) => {
  for (const [what, body, type, status, code] of BODIES)
    expectRefusal(await send(endpoint, body, type), status, code, what);
});

test.each(withFields)("$name refuses every invalid field, and names it", async (endpoint) => {
  for (const [field, schema] of Object.entries(fieldsOf(endpoint).shape)) {
    const wrong = JSON_FIELDS[field] ?? JSON_TYPES[typeOf(schema)];
    expect(wrong, `add a row for ${field} to JSON_FIELDS in test/hostile.ts`).toBeDefined();
    // Null in an optional field is as good as absent: field-messages.test.ts.
    for (const value of (wrong ?? []).filter((value) => value !== "null" || !schema.safeParse(undefined).success)) {
      const good = JSON.stringify({ ...exampleOf(endpoint), [field]: undefined });
      const answer = await send(endpoint, `${good.slice(0, -1)}${good === "{}" ? "" : ","}"${field}":${value}}`);
      expectRefusal(answer, 400, "validation_failed", `${field}: ${value.slice(0, 50)}`);
      expect(answer.body.errors).toContainEqual(
        expect.objectContaining({ param: expect.stringMatching(`^${field}(\\.|$)`) }),
      );
      expect(answer.text).not.toMatch(LIBRARY_WORDS);
    }
  }
});

test.each(withFields.filter((endpoint) => !fieldsOf(endpoint).safeParse({}).success))(
  "$name refuses a body without required fields, and ignores inherited ones",
  async (endpoint) => {
    const inherited = `{"__proto__":${JSON.stringify(exampleOf(endpoint))}}`;
    for (const body of ["{}", inherited, undefined])
      expectRefusal(await send(endpoint, body), 400, "validation_failed", String(body));
  },
);

test.each(withFields)("$name refuses a form with a duplicate field or an invalid amount", async (endpoint) => {
  const good = exampleOf(endpoint);
  for (const [name, value] of Object.entries(good)) {
    const answer = await send(endpoint, `${asForm(good)}&${asForm({ [name]: value })}`, FORM);
    expectRefusal(answer, 400, "validation_failed", `${name} twice`);
  }
  for (const amount of "amount" in fieldsOf(endpoint).shape ? FORM_AMOUNTS : [])
    expectRefusal(await send(endpoint, asForm({ ...good, amount }), FORM), 400, "validation_failed", amount);
});

test("an excessive amount is forwarded when it creates a session, because payments knows the limit, and refused otherwise", async () => {
  const passOn = ["openPayment", "openCryptoPayment", "openCheckout"];
  for (const endpoint of withAmount) {
    const { status } = await send(endpoint, { ...exampleOf(endpoint), amount: 1e15 });
    const expected = endpoint.name === "openCryptoPayment" ? 501 : 201;
    expect([endpoint.name, status]).toEqual([endpoint.name, passOn.includes(endpoint.name) ? expected : 400]);
  }
});

test.each(ENDPOINTS.filter(({ key }) => key !== "none"))(
  "$name refuses every key but the one it needs",
  async (endpoint) => {
    const unknown = (["secret", "public", "restricted"] as const).map((kind) =>
      newApiKey({ kind, mode: "test" }, () => 7),
    );
    const mistyped = `${shop.sk_test.slice(0, -1)}${shop.sk_test.endsWith("a") ? "b" : "a"}`;
    const otherKeys = [
      "nonsense",
      "sk_test_",
      mistyped,
      ...unknown,
      shop.sk_test.replace("test", "live"),
      `${shop.pk_live} x`,
    ];
    const [code, wrongKind] =
      endpoint.key === "secret"
        ? ["secret_key_required", [shop.pk_test, shop.pk_live]]
        : ["invalid_api_key", [shop.sk_test, shop.sk_live, restricted]];
    const ask = (key: string | undefined) =>
      call(gateway, endpoint.method, pathOf(endpoint), {
        key,
        body: endpoint.method === "POST" ? exampleOf(endpoint) : undefined,
      });
    for (const key of [undefined, ...otherKeys]) expectRefusal(await ask(key), 401, "invalid_api_key", String(key));
    for (const key of wrongKind) expectRefusal(await ask(key), 401, code, key.slice(0, 8));
    if (endpoint.testOnly) expectRefusal(await ask(shop.sk_live), 403, "test_key_required", "a live key");
  },
);

test.each(withReference)("$name gets 404 for a malformed reference", async (endpoint) => {
  const body = endpoint.method === "POST" ? exampleOf(endpoint) : undefined;
  for (const reference of REFERENCES) {
    const answer = await call(gateway, endpoint.method, pathOf(endpoint, reference), { key: keyFor(endpoint), body });
    expectRefusal(answer, 404, "not_found", reference);
  }
});

test.each(posts)("$name ignores unknown fields, including names with a meaning in JavaScript", async (endpoint) => {
  const more = {
    merchant: { id: "mer_x", mode: "live" },
    client: "203.0.113.7",
    mode: "live",
    created: true,
    opened_by: "secret_key",
    by: "me",
  };
  const json = JSON.stringify({ ...exampleOf(endpoint), ...more }).slice(0, -1);
  const form = asForm({ ...exampleOf(endpoint), constructor: 1, toString: 2, merchant: 3 });
  for (const [body, type] of [
    [
      `${json},"__proto__":{"mode":"live"},"constructor":{"prototype":{}},"toString":1,"hasOwnProperty":null}`,
      undefined,
    ],
    [`${form}&__proto__=1&__proto__=2&hasOwnProperty=3&merchant[id]=x`, FORM],
  ] as const) {
    const { status, text } = await send(endpoint, body, type);
    expect([200, 201, 501], text).toContain(status);
  }
  // `client` is the gateway's own word for the caller's address, which no body can set.
  const known = ["merchant", "client", ...Object.keys(fieldsOf(endpoint).shape), ...parametersOf(endpoint.path)];
  expect(others.asked).toHaveLength(2);
  for (const asked of others.asked) {
    expect(Object.keys(asked).filter((name) => !known.includes(name))).toEqual([]);
    if (endpoint.key !== "none") expect(asked.merchant).toMatchObject({ id: shop.id, mode: "test" });
  }
});

test.each(["/customer_accounts", "/transfers"])(
  "GET %s refuses invalid pages and unknown parameters, naming them",
  async (path) => {
    const get = (query: string) => call(gateway, "GET", `${path}?${query}`, { key: shop.sk_test });
    for (const name of ["limit", "offset"])
      for (const value of ["-1", "x", "1.5", "1e3", "", "9999999999", "NaN", "%00", `1&${name}=2`])
        expectRefusal(await get(`${name}=${value}`), 400, "validation_failed", `${name}=${value}`);
    expectRefusal(await get("limit=0"), 400, "validation_failed", "limit=0");
    expectRefusal(await get("status=gone"), 400, "validation_failed", "status");
    for (const name of ["__proto__", "constructor", "limit[]", "merchant", "Status", "%25zz"]) {
      const refused = await get(`${name}=1`);
      expectRefusal(refused, 400, "validation_failed", name);
      expect(refused.text).toContain(`"param":"${decodeURIComponent(name)}"`);
    }
  },
);

test("GET /banks, a list that has no parameters, refuses each, naming it", async () => {
  const get = (query: string) => call(gateway, "GET", `/banks${query}`, { key: shop.sk_test });
  for (const name of ["type", "limit", "merchant", "__proto__"]) {
    const refused = await get(`?${name}=1`);
    expectRefusal(refused, 400, "validation_failed", name);
    expect(refused.body.errors).toEqual([
      { param: name, code: "unrecognized", message: "is unknown; this list has no parameters" },
    ]);
  }
  expect([(await get("")).status, (await get("?")).status]).toEqual([200, 200]);
});

test("a body of exactly 32 kB is accepted", async () => {
  const fields = { customer_reference: "big", customer_name: "Ada", pad: "" };
  const pad = "x".repeat(32 * 1024 - JSON.stringify(fields).length);
  const answer = await call(gateway, "POST", "/customer_accounts", { key: shop.sk_test, body: { ...fields, pad } });
  expect(answer.status).toBe(201);
});

test("headers and bodies that never end get 408; input that is not HTTP gets 400", async () => {
  expectRefusal(
    await speak(gateway, "GET /v1/balance HTTP/1.1\r\nHost: gateway\r\nX-More: "),
    408,
    "request_timeout",
    "drip",
  );
  const tooLong = head("GET /v1", `X: ${"x".repeat(20_000)}`);
  for (const bytes of ["nonsense\r\n\r\n", "GET /v1/\0 HTTP/1.1\r\nHost: g\r\n\r\n", tooLong])
    expectRefusal(await speak(gateway, bytes), 400, "malformed_body", bytes.slice(0, 30));
});

test.each([
  "/%",
  "/customer_accounts/%E0%A4%A",
  "/customer_accounts/%/simulate_payment?%",
  "//",
  "/__proto__",
  "/checkout/%zz/details",
])("GET %s gets a 4xx, not a 500", async (path) => {
  const { status, text } = await call(gateway, "GET", path, { key: shop.sk_test });
  expect([404, 405], text).toContain(status);
});
