import { expect, test } from "vitest";
import { newApiKey } from "./api-key.ts";
import {
  CLIENT_DISCONNECTED,
  callOutcome,
  loggedContent,
  loggedPath,
  loggedProblem,
  loggedRequestId,
  maskedKey,
  parseSearch,
  referenceMade,
} from "./call-log.ts";

const key = newApiKey({ kind: "secret", mode: "live" }, () => 7);

test("a path is logged without its query string and cut at 300 characters", () => {
  expect(loggedPath("/v1/payments?token=secret")).toBe("/v1/payments");
  expect(loggedPath("/v1/payments#secret")).toBe("/v1/payments");
  const long = `/v1/customer_accounts/${"a".repeat(100)}/simulate_payment`;
  expect(loggedPath(long)).toBe(long);
  expect(loggedPath(`/${"a".repeat(400)}`)).toBe(`/${"a".repeat(299)}`);
});

test("a key that a caller put into the URL or the request id by mistake is not logged", () => {
  for (const put of [key, key.replaceAll("_", "%5F"), key.replaceAll("_", "%5f")]) {
    const kept = loggedPath(`/v1/customer_accounts/${put}/simulate_payment`);
    expect(kept).not.toContain(key.slice(8, 20));
    expect(kept).toMatch(/^\/v1\/customer_accounts\/sk.+live.+…\/simulate_payment$/);
  }
  expect(loggedRequestId(key)).toBe("sk_live_…");
  expect(loggedRequestId(newApiKey({ kind: "restricted", mode: "test" }, () => 7))).toBe("rk_test_…");
  for (const harmless of ["order-1001", "task_test_results", "risk_live_7"])
    expect(loggedRequestId(harmless)).toBe(harmless);
});

test("a key is logged as its prefix and its last four characters", () => {
  expect(maskedKey({ kind: "public", mode: "test" }, "3xYz")).toBe("pk_test_…3xYz");
});

test("a status is a success, a client error or a server error; a disconnect is a client error", () => {
  expect([200, 201, 399, 400, 429, CLIENT_DISCONNECTED, 500, 504].map(callOutcome)).toEqual([
    "ok",
    "ok",
    "ok",
    "client_error",
    "client_error",
    "client_error",
    "server_error",
    "server_error",
  ]);
});

test("a search term is the beginning of a path, with or without its version, or a request id", () => {
  const pathOf = (search: string) => parseSearch(search).from;
  expect(["/v1/payments/pay_1", "/payments", "payments", "//payments", "/v1", "/v1x"].map(pathOf)).toEqual([
    "/v1/payments/pay_1",
    "/v1/payments",
    "/v1/payments",
    "/v1/payments",
    "/v1",
    "/v1/v1x",
  ]);
  expect(parseSearch("req-1").term).toBe("req-1");
});

test("a response is about its reference, its customer's, or that of its first report; a list is about nothing", () => {
  expect(referenceMade({ reference: "pay_1", customer_reference: "c1" })).toBe("pay_1");
  expect(referenceMade({ customer_reference: "c1" })).toBe("c1");
  expect(referenceMade({ reports: [{ reference: "col_1" }, { reference: null }] })).toBe("col_1");
  for (const response of [undefined, "pay_1", { data: [{ reference: "pay_1" }] }, { reports: [] }, { reference: 7 }])
    expect(referenceMade(response)).toBeNull();
  expect(referenceMade({ reference: "a".repeat(101) })).toBeNull();
});

test("a refusal is logged without keys, and without its fields if they are too many", () => {
  const errors = (count: number) =>
    Array.from({ length: count }, () => ({ param: key, code: "x", message: "is unknown" }));
  expect(JSON.parse(loggedProblem({ detail: "No.", errors: errors(1) }))).toEqual({
    detail: "No.",
    errors: [{ param: "sk_live_…", code: "x", message: "is unknown" }],
  });
  expect(JSON.parse(loggedProblem({ detail: "No.".repeat(2_000), errors: errors(200) }))).toMatchObject({ errors: [] });
});

test("a query string and a body are kept whole or not at all, of test calls only", () => {
  const sent = (url: string, text: string) => ({ url, type: "application/json", body: Buffer.from(text) });
  expect(loggedContent("test", sent("/v1/x?a=1?b#c", "{}"))).toEqual({
    query: "a=1?b",
    body_type: "application/json",
    body: "{}",
  });
  expect(loggedContent("test", sent(`/v1/x?${key}`, key))).toMatchObject({ query: "sk_live_…", body: "sk_live_…" });
  const nothing = { query: null, body_type: null, body: null };
  expect(loggedContent("test", sent(`/v1/x?${"a".repeat(2_001)}`, "a".repeat(2_001)))).toEqual({
    ...nothing,
    body_type: "application/json",
  });
  expect(loggedContent("live", sent("/v1/x?a=1", "{}"))).toEqual(nothing);
  expect(loggedContent("test", { url: "/v1/x", type: undefined, body: undefined })).toEqual(nothing);
});

test.each([
  ['{"customer_reference":"c1","bvn":"22212345678"}', '{"customer_reference":"c1","bvn":"…"}'],
  ['{ "nin" : 22212345678, "a": 1 }', '{ "nin" : "…", "a": 1 }'],
  ['{"bvn":"222 123\\"456","a":1}', '{"bvn":"…","a":1}'],
  ['{"bvn":"2221234', '{"bvn":"…"'],
  ["{bvn: '22212345678'}", '{bvn: "…"}'],
  ["customer_reference=c1&bvn=22212345678&a=1", 'customer_reference=c1&bvn="…"&a=1'],
  ['{"description":"dinning room","phone":"08031234567"}', '{"description":"dinning room","phone":"08031234567"}'],
])("the number of a person in a body is not logged: %s", (sent, logged) => {
  const url = `/v1/customer_accounts?${sent}`;
  const body = Buffer.from(sent);
  expect(loggedContent("test", { url, type: "application/json", body })).toEqual({
    ...{ body_type: "application/json", body: logged, query: logged },
  });
});
