import { connect } from "node:net";
import { text } from "node:stream/consumers";
import type { World } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aShop, call, type Gateway, openGatewayWorld, startGateway } from "./gateway.ts";
import { type Others, playOthers } from "./others.ts";

let world: World;
let gateway: Gateway;
let others: Others;
let key: string;

beforeAll(async () => {
  world = await openGatewayWorld();
  gateway = await startGateway(world, { REQUEST_TIMEOUT_MS: "300" });
  others = await playOthers(world);
  key = (await aShop(world, { accounts: 10_000, reads: 10_000 })).sk_test;
});
afterAll(async () => {
  await gateway.stop();
  await others.stop();
  await world.close();
});

const FORM = "application/x-www-form-urlencoded";
const deep = (n: number) => "[".repeat(n) + "]".repeat(n);
const post = (body: unknown, type?: string, path = "/customer_accounts") =>
  call(gateway, "POST", path, { key, body, type });

test.each([
  ["broken JSON", '{"customer_reference":', undefined, 400, "malformed_body"],
  ["no JSON at all", "customer_reference=c1", undefined, 400, "malformed_body"],
  ["NaN", '{"customer_reference":NaN}', undefined, 400, "malformed_body"],
  ["an array", "[]", undefined, 400, "malformed_body"],
  ["a string", '"c1"', undefined, 400, "malformed_body"],
  ["null", "null", undefined, 400, "malformed_body"],
  ["10,000 arrays inside each other", deep(10_000), undefined, 400, "malformed_body"],
  ["a field 10,000 arrays deep", `{"customer_reference":${deep(10_000)}}`, undefined, 400, "validation_failed"],
  ["an array for a string", '{"customer_reference":["c1"]}', undefined, 400, "validation_failed"],
  ["a number for a string", '{"customer_reference":1e309}', undefined, 400, "validation_failed"],
  ["a NUL", '{"customer_reference":"c\\u0000"}', undefined, 400, "validation_failed"],
  [
    "a name of control characters",
    '{"customer_reference":"c","customer_name":"a\\u0000b"}',
    undefined,
    400,
    "validation_failed",
  ],
  ["half a character", '{"customer_reference":"c","customer_name":"\\ud800"}', undefined, 400, "validation_failed"],
  ["a field twice in a form", "customer_reference=a&customer_reference=b", FORM, 400, "validation_failed"],
  ["more fields than any form has", "x=1&".repeat(200), FORM, 400, "malformed_body"],
  ["broken percent-encoding in a form", "customer_reference=%zz", FORM, 400, "validation_failed"],
  ["40 kB", JSON.stringify({ customer_reference: "c", pad: "x".repeat(40_000) }), undefined, 413, "body_too_large"],
  ["40 kB of form", `customer_reference=c&pad=${"x".repeat(40_000)}`, FORM, 413, "body_too_large"],
  ["another type", "<c/>", "application/xml", 415, "unsupported_media_type"],
  ["plain text", "{}", "text/plain", 415, "unsupported_media_type"],
  ["an unknown character set", "{}", "application/json; charset=klingon", 415, "unsupported_media_type"],
])("%s is refused, not failed", async (_what, body, type, status, code) => {
  const refused = await post(body, type);
  expect([refused.status, refused.body.code, refused.body.mode]).toEqual([status, code, "test"]);
  expect(refused.headers.get("content-type")).toContain("application/problem+json");
  expect(others.asked).toEqual([]);
});

test.each(["1e309", "-1", "0", "1.005", '"10"', "null", "[]", "1e15"])("an amount of %s is refused", async (amount) => {
  const path = "/customer_accounts/c1/simulate_payment";
  const refused = await post(`{"outcome":"paid","amount":${amount}}`, undefined, path);
  expect([refused.status, refused.body.errors]).toEqual([400, [expect.objectContaining({ param: "amount" })]]);
});

test("names that mean something to JavaScript are fields like any other unknown one", async () => {
  const body =
    '{"customer_reference":"proto","customer_name":"Ada","__proto__":{"mode":"live"},"constructor":{"prototype":{}},"toString":1}';
  const json = await post(body);
  const form = await post(
    "customer_reference=proto2&customer_name=Ada&__proto__=x&constructor=y&hasOwnProperty=z",
    FORM,
  );
  expect([json.status, form.status]).toEqual([201, 201]);
  expect(others.asked.map((asked) => Object.keys(asked).sort())).toEqual(
    Array.from({ length: 2 }, () => ["customer_name", "customer_reference", "merchant"]),
  );
  others.asked.length = 0;
  const listed = await call(gateway, "GET", "/customer_accounts?__proto__=1&constructor=2&limit[]=1", { key });
  expect(listed.status).toBe(200);
});

test("a body of exactly 32 kB is taken", async () => {
  const fields = { customer_reference: "big", customer_name: "Ada", pad: "" };
  const pad = "x".repeat(32 * 1024 - JSON.stringify(fields).length);
  expect((await post({ ...fields, pad })).status).toBe(201);
});

/** What a client gets that speaks on the socket itself. */
async function raw(bytes: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const socket = connect(gateway.port, "127.0.0.1");
  socket.write(bytes);
  const answer = await text(socket);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), body: JSON.parse(body) };
}
const head = (line: string, ...more: string[]) =>
  [line, "Host: gateway", `Authorization: Bearer ${key}`, "Connection: close", ...more, "", ""].join("\r\n");

test("a body that drips, and headers that never end, are cut off with 408", async () => {
  const json = ["Content-Type: application/json", "Content-Length: 100"];
  const dripped = await raw(`${head("POST /v1/customer_accounts HTTP/1.1", ...json)}{"customer_`);
  expect([dripped.status, dripped.body.code]).toEqual([408, "request_timeout"]);
  const endless = await raw("GET /v1/balance HTTP/1.1\r\nHost: gateway\r\nX-More: ");
  expect([endless.status, endless.body.code]).toEqual([408, "request_timeout"]);
});

test("what is not HTTP is a 400, and headers without end too", async () => {
  for (const bytes of [
    "nonsense\r\n\r\n",
    "GET /v1/\0 HTTP/1.1\r\nHost: g\r\n\r\n",
    head("GET /v1 HTTP/1.1", `X: ${"x".repeat(20_000)}`),
  ])
    expect((await raw(bytes)).status).toBe(400);
});

test.each([
  "/%",
  "/customer_accounts/%E0%A4%A",
  "/customer_accounts/%/simulate_payment?%",
  "//",
  "/customer_accounts/__proto__",
])("GET %s is refused, not failed", async (path) => {
  const { status } = await call(gateway, "GET", path, { key });
  expect([404, 405]).toContain(status);
});
