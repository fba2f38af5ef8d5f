import { expect, test } from "vitest";
import { z } from "zod";
import { templateOf } from "../src/domain/endpoint.ts";
import { ENDPOINTS } from "../src/endpoints.ts";
import { call, startGateway, useGateway } from "./gateway.ts";

const Index = z.looseObject({ endpoints: z.array(z.string()), scopes: z.record(z.string(), z.array(z.string())) });
const LISTED = ENDPOINTS.filter(({ key, testOnly }) => key === "secret" && !testOnly).map(
  ({ method, path }) => `${method} ${templateOf(path)}`,
);

const { world, gateway } = await useGateway();

/** In the order of the specification. */
const SPECIFIED = [
  "GET /balance",
  "POST /customer_accounts",
  "GET /customer_accounts",
  "GET /customer_accounts/{customer_reference}",
  "POST /payments",
  "GET /payments/{reference}",
  "POST /payments/crypto",
  "GET /banks",
  "POST /transfers/resolve",
  "POST /transfers",
  "GET /transfers",
  "GET /transfers/{reference}",
];

test("the index needs no key and lists the specification's twelve in its order, then the other endpoints for a secret key in both modes", async () => {
  for (const path of ["", "/"]) {
    const { status, body } = await call(gateway, "GET", path);
    const { endpoints, scopes: _scopes, ...service } = Index.parse(body);
    expect([status, service]).toEqual([200, { name: "Merchant Collection API", version: "v1", docs: null }]);
    expect(endpoints.slice(0, SPECIFIED.length)).toEqual(SPECIFIED);
    expect(endpoints).toEqual(LISTED);
  }
});

/** What each scope opens of the specification's. */
const OPENED = {
  balance: ["GET /balance"],
  accounts: ["POST /customer_accounts", "GET /customer_accounts", "GET /customer_accounts/{customer_reference}"],
  payments: ["POST /payments", "GET /payments/{reference}", "POST /payments/crypto"],
  "transfers:read": ["GET /banks", "GET /transfers", "GET /transfers/{reference}"],
  "transfers:write": ["POST /transfers/resolve", "POST /transfers"],
};

test("the index says which endpoints each scope of a restricted key opens: all of them, each once", async () => {
  const { endpoints, scopes } = Index.parse((await call(gateway, "GET", "/")).body);
  for (const [scope, opened] of Object.entries(OPENED)) expect(scopes[scope]?.slice(0, opened.length)).toEqual(opened);
  expect(Object.values(scopes).flat().sort()).toEqual(endpoints.toSorted());
});

test("the index contains the documentation's URL once it is configured", async () => {
  const documented = await startGateway(world, { DOCS_URL: "https://docs.example.com/" });
  expect((await call(documented, "GET", "/")).body.docs).toBe("https://docs.example.com/");
  await documented.stop();
});

test.each([
  ["POST", "/", "GET, HEAD"],
  ["DELETE", "/customer_accounts", "POST, GET, HEAD"],
  ["PUT", "/customer_accounts/cust_1", "GET, HEAD"],
  ["GET", "/customer_accounts/cust_1/simulate_payment", "POST"],
  ["OPTIONS", "/balance", "GET, HEAD"],
  ["DELETE", "/payments", "POST, GET, HEAD"],
  ["GET", "/payments/crypto", "POST"],
  ["POST", "/payments/pay_1", "GET, HEAD"],
  ["DELETE", "/transfers/resolve", "POST"],
  ["OPTIONS", "/checkout", "POST"],
  ["POST", "/checkout/pay_1", "GET, HEAD"],
  ["POST", "/openapi.json", "GET, HEAD"],
  ["POST", "/docs", "GET, HEAD"],
])("%s %s gets 405 with the allowed methods", async (method, path, allow) => {
  const { status, body, headers } = await call(gateway, method, path);
  expect([status, body.code, headers.get("allow")]).toEqual([405, "method_not_allowed", allow]);
});

test.each(["/nothing", "/customer_accounts/a/b", "/../v2", "/sandbox", "/checkout/a/b", "/docs/package.json"])(
  "%s is 404",
  async (path) => {
    const { status, body } = await call(gateway, "GET", path);
    expect([status, body.code]).toEqual([404, "not_found"]);
  },
);

test("every response has a request id: a valid one from the client, or a new one", async () => {
  const ask = (id: string) => fetch(gateway.url, { headers: { "x-request-id": id } });
  expect((await ask("order-42")).headers.get("x-request-id")).toBe("order-42");
  expect((await ask('"><script>')).headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  const { headers, body } = await call(gateway, "GET", "/nothing");
  expect(headers.get("x-request-id")).toBe(body.request_id);
});
