import type { World } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, type Gateway, openGatewayWorld, startGateway } from "./gateway.ts";

let world: World;
let gateway: Gateway;

beforeAll(async () => {
  world = await openGatewayWorld();
  gateway = await startGateway(world);
});
afterAll(async () => {
  await gateway.stop();
  await world.close();
});

test("the index needs no key and lists what works, in the specification's order, without simulators", async () => {
  const expected = {
    name: "Merchant Collection API",
    version: "v1",
    docs: null,
    endpoints: [
      "GET /balance",
      "POST /customer_accounts",
      "GET /customer_accounts",
      "GET /customer_accounts/{customer_reference}",
    ],
  };
  for (const path of ["", "/"]) {
    const { status, body } = await call(gateway, "GET", path);
    expect([status, body]).toEqual([200, expected]);
  }
});

test("the address of the documentation is told once it is configured", async () => {
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
])("%s %s is 405 and says what is allowed", async (method, path, allow) => {
  const { status, body, headers } = await call(gateway, method, path);
  expect([status, body.code, headers.get("allow")]).toEqual([405, "method_not_allowed", allow]);
});

test.each(["/nothing", "/customer_accounts/a/b", "/../v2", "/payments"])("%s is 404", async (path) => {
  const { status, body } = await call(gateway, "GET", path);
  expect([status, body.code]).toEqual([404, "not_found"]);
});

test("every answer has a request id: a sane one of the client's own, or a new one", async () => {
  const ask = (id: string) => fetch(gateway.url, { headers: { "x-request-id": id } });
  expect((await ask("order-42")).headers.get("x-request-id")).toBe("order-42");
  expect((await ask('"><script>')).headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  const { headers, body } = await call(gateway, "GET", "/nothing");
  expect(headers.get("x-request-id")).toBe(body.request_id);
});
