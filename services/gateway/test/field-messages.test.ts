import type { FieldError } from "@collect/contracts";
import { randomId, readApiContract } from "@collect/testing";
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type Endpoint, fieldsOf } from "../src/domain/endpoint.ts";
import { ENDPOINTS } from "../src/endpoints.ts";
import { openApiDocument } from "../src/openapi/document.ts";
import { type Answer, aShop, call, useGateway } from "./gateway.ts";
import { FORM, LIBRARY_WORDS } from "./hostile.ts";
import { aSessionReference, asForm } from "./operations.ts";
import { useOthers } from "./others.ts";

/** What a refusal says about a field: what would be right, in a sentence of ours. */

const contract = readApiContract(openApiDocument(ENDPOINTS));
const withFields = ENDPOINTS.filter((endpoint) => Object.keys(fieldsOf(endpoint).shape).length > 0);
const posts = withFields.filter(({ method }) => method === "POST");
const lists = withFields.filter(({ method }) => method === "GET");

const { world, gateway } = await useGateway();
const others = await useOthers(world);
const shop = await aShop(world, { accounts: 10_000, reads: 10_000 });
await call(gateway, "POST", "/customer_accounts", {
  key: shop.sk_test,
  body: { customer_reference: "cust_1", customer_name: "Ada" },
});

beforeEach(() => {
  others.asked.length = 0;
});

/** A session of its own for each call: payers' calls are limited by session. */
type Sent = { query?: string; body?: unknown; reference?: string };
const send = ({ method, path, key }: Endpoint, { query = "", body, reference = aSessionReference() }: Sent) =>
  call(gateway, method, `${path.replace(":customer_reference", "cust_1").replace(/:\w+/g, reference)}${query}`, {
    key: { secret: shop.sk_test, public: shop.pk_test, none: undefined }[key],
    body,
  });
/** The customer is new each time: what is wrong with a repeat is not looked at. */
const exampleOf = ({ name }: Endpoint) => {
  const operation = contract.operations.find(({ operationId }) => operationId === name);
  const body: Record<string, unknown> = operation ? contract.exampleBody(operation) : {};
  return "customer_reference" in body ? { ...body, customer_reference: randomId("cust") } : body;
};
const isRequired = (schema: z.ZodType) => !schema.safeParse(undefined).success;
const Errors = z.array(z.object({ param: z.string(), code: z.string(), message: z.string() }));
const errorsIn = ({ body, text }: Answer): FieldError[] => {
  expect(body.code, text).toBe("validation_failed");
  expect(text).not.toMatch(LIBRARY_WORDS);
  return Errors.parse(body.errors);
};

test.each(posts)("$name says that a required field that is missing or null is required", async (endpoint) => {
  for (const [param, schema] of Object.entries(fieldsOf(endpoint).shape)) {
    if (!isRequired(schema)) continue;
    for (const value of [undefined, null]) {
      const [error, ...more] = errorsIn(await send(endpoint, { body: { ...exampleOf(endpoint), [param]: value } }));
      expect([error, more]).toMatchObject([{ param, message: "is required" }, []]);
    }
  }
  expect(others.asked).toEqual([]);
});

test.each(posts)("$name takes null in its optional fields for absent", async (endpoint) => {
  const optional = Object.entries(fieldsOf(endpoint).shape).filter(([, schema]) => !isRequired(schema));
  const body = { ...exampleOf(endpoint), ...Object.fromEntries(optional.map(([name]) => [name, null])) };
  const absent = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  const reference = aSessionReference();
  for (const given of [body, absent]) {
    const { status, text } = await send(endpoint, { body: given, reference });
    expect([200, 201, 501], text).toContain(status);
  }
  const [ofNull, ofAbsent] = others.asked;
  expect(ofNull).toEqual(ofAbsent);
  const schema = { $ref: `${endpoint.name.charAt(0).toUpperCase()}${endpoint.name.slice(1)}Body` };
  expect(contract.faults(body, schema)).toBe("");
});

const OURS = /^(?:must|is|has) \S/;
const WRONG = [7, -1, 1.5, true, "", "\u0000", "x".repeat(3_000), [], ["x"], {}, { a: { b: 1 } }];

test.each(posts)("$name says in our words what is wrong with any value of any field", async (endpoint) => {
  for (const param of Object.keys(fieldsOf(endpoint).shape)) {
    const answers = [];
    for (const value of WRONG) answers.push(await send(endpoint, { body: { ...exampleOf(endpoint), [param]: value } }));
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused.length, param).toBeGreaterThan(5);
    for (const { message } of refused.flatMap(errorsIn)) expect(message).toMatch(OURS);
  }
});

test.each(lists)("$name says in our words what is wrong with any parameter", async (endpoint) => {
  for (const param of Object.keys(fieldsOf(endpoint).shape)) {
    const wrong = ["x y", "-1", "1.5", "", "%00", "x".repeat(3_000), `1&${param}=2`].map(
      (value) => `${param}=${value}`,
    );
    for (const query of [...wrong, "no_such_parameter=1"]) {
      const answer = await send(endpoint, { query: `?${query}` });
      if (answer.status !== 400) continue;
      for (const { message } of errorsIn(answer)) expect(message, query).toMatch(OURS);
    }
  }
});

test("the messages name the choices, the sizes and an example", async () => {
  const messagesOf = async (name: string, fields: Record<string, unknown>) => {
    const endpoint = ENDPOINTS.find((row) => row.name === name);
    if (!endpoint) throw new Error(`there is no ${name}`);
    const given =
      endpoint.method === "GET" ? { query: `?${asForm(fields)}` } : { body: { ...exampleOf(endpoint), ...fields } };
    return Object.fromEntries(errorsIn(await send(endpoint, given)).map(({ param, message }) => [param, message]));
  };
  const payment = { amount: "2,500", reference: 7, description: "x".repeat(501), redirect_url: "x".repeat(2_001) };
  expect(await messagesOf("openPayment", payment)).toEqual({
    amount: "must be a number such as 2500.73",
    reference: "must be a string",
    description: "must be at most 500 characters",
    redirect_url: "must be at most 2,000 characters",
  });
  expect(await messagesOf("openPayment", { amount: 0, customer_name: "" })).toEqual({
    amount: "must be greater than 0",
    customer_name: "must not be empty",
  });
  const metadata = { order: 17, note: "x".repeat(501), "a[b]": "x", ["k".repeat(41)]: "x" };
  const key = "has a name that is not allowed: it must be 1 to 40 characters, and no brackets or control characters";
  expect(await messagesOf("createTransfer", { metadata })).toEqual({
    "metadata.order": "must be a string",
    "metadata.note": "must be at most 500 characters",
    "metadata.a[b]": key,
    [`metadata.${"k".repeat(41)}`]: key,
  });
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, "x"]));
  expect(await messagesOf("issueCustomerAccount", { metadata: many })).toEqual({
    metadata: "must have at most 20 keys",
  });
  expect(await messagesOf("simulatePayment", { outcome: "lost" })).toEqual({
    outcome: "must be one of paid, underpaid, overpaid, expired",
  });
  expect(await messagesOf("listTransfers", { limit: 0, status: "gone" })).toEqual({
    limit: "must be at least 1",
    status: "must be one of pending, success, failed, reversed, all",
  });
  expect(await messagesOf("listCollections", { paid_from: "yesterday", amount: "1.005" })).toEqual({
    paid_from: "must be a time with an offset, such as 2026-11-21T08:30:00Z; in a URL, send + as %2B",
    amount: "must be naira with at most two decimals",
  });
});

test("a key __proto__ of metadata is refused and not left out", async () => {
  const body = '{"amount":2500,"metadata":{"order":"17","__proto__":"x"}}';
  expect(errorsIn(await call(gateway, "POST", "/payments", { key: shop.sk_test, body }))).toEqual([
    {
      param: "metadata.__proto__",
      code: "invalid_key",
      message: "has a name that is not allowed: it must not be __proto__",
    },
  ]);
  expect(others.asked).toEqual([]);
});

test("a body with thousands of invalid keys is refused with the first 50", async () => {
  const metadata = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`k${n}`, 1]));
  const { status, body } = await call(gateway, "POST", "/payments", {
    key: shop.sk_test,
    body: { amount: 1, metadata },
  });
  expect([status, Errors.parse(body.errors).length]).toEqual([400, 50]);
});

test("a form sends metadata by its keys, and is refused by them as JSON is", async () => {
  const sendForm = (form: string) =>
    call(gateway, "POST", "/payments", { key: shop.sk_test, body: `amount=1&${form}`, type: FORM });
  expect((await sendForm("metadata[order]=17&metadata%5Bnote%5D=a%20b&other[a]=1")).status).toBe(201);
  expect(others.asked.map(({ metadata }) => metadata)).toEqual([{ order: "17", note: "a b" }]);
  const refused = {
    "metadata[]=x": "metadata.",
    "metadata[a][b]=x": "metadata.a][b",
    "metadata[a]=x&metadata[a]=y": "metadata.a",
    "metadata[a]=x&metadata[__proto__]=y": "metadata.__proto__",
    "metadata=x": "metadata",
    "metadata=x&metadata[a]=y": "metadata",
  };
  for (const [form, param] of Object.entries(refused))
    expect(errorsIn(await sendForm(form)).map((error) => error.param)).toEqual([param]);
  expect((await sendForm("__proto__[a]=x&constructor[prototype]=y")).status).toBe(201);
});
