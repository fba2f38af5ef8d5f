import { connect } from "node:net";
import { until } from "@collect/testing";
import { beforeEach, expect, test } from "vitest";
import { aShop, call, requestLogOf, startGateway, useGateway } from "./gateway.ts";
import { useOthers } from "./others.ts";
import { drip } from "./socket.ts";

const { world, gateway } = await useGateway();
const others = await useOthers(world);
const { browse, logged } = requestLogOf(world);

beforeEach(() => others.refuseWith(undefined));

test("each call with a recognized key is logged in its mode, with its route, outcome and key", async () => {
  const { id, sk_test, pk_test, sk_live } = await aShop(world);
  const body = { customer_reference: "cust_1", customer_name: "Ada" };
  const made = await call(gateway, "POST", "/customer_accounts", { key: sk_test, body });
  await call(gateway, "GET", "/customer_accounts/cust_none?limit=5", { key: sk_test });
  await call(gateway, "POST", "/checkout", { key: pk_test, body: { amount: 2500 } });
  await call(gateway, "GET", "/balance", { key: sk_live });
  others.refuseWith("provider_timeout");
  await call(gateway, "POST", "/payments", { key: sk_test, body: { amount: 2500 } });

  const data = await logged(id, 4);
  const shown = data.map(({ method, path, status, code, key }) => [method, path, status, code, key]);
  expect(shown).toEqual([
    ["POST", "/v1/payments", 504, "provider_timeout", `sk_test_…${sk_test.slice(-4)}`],
    ["POST", "/v1/checkout", 201, null, `pk_test_…${pk_test.slice(-4)}`],
    ["GET", "/v1/customer_accounts/cust_none", 404, "not_found", `sk_test_…${sk_test.slice(-4)}`],
    ["POST", "/v1/customer_accounts", 201, null, `sk_test_…${sk_test.slice(-4)}`],
  ]);
  expect(data.at(-1)).toMatchObject({
    request_id: made.headers.get("x-request-id"),
    at: expect.stringMatching(/\+00:00$/),
    duration_ms: expect.any(Number),
  });
  const live = await logged(id, 1, "live");
  expect(live.map(({ path, key }) => [path, key])).toEqual([["/v1/balance", `sk_live_…${sk_live.slice(-4)}`]]);
});

test("calls that are refused early are logged too: wrong kind of key, exceeded limit, no body", async () => {
  const { id, sk_test, pk_test, sk_live } = await aShop(world, { reads: 1 });
  await call(gateway, "GET", "/balance", { key: pk_test });
  await call(gateway, "GET", "/balance", { key: sk_test });
  await call(gateway, "GET", "/balance", { key: sk_test });
  await call(gateway, "POST", "/payments", { key: sk_test, body: "{broken" });
  await call(gateway, "POST", "/checkout", { key: sk_test, body: {} });
  await call(gateway, "POST", "/sandbox/pay", { key: sk_live, body: {} });
  const codes = (await logged(id, 5)).map(({ code, status }) => [status, code]);
  expect(codes).toEqual([
    [401, "invalid_api_key"],
    [400, "malformed_body"],
    [429, "rate_limited"],
    [200, null],
    [401, "secret_key_required"],
  ]);
  expect((await logged(id, 1, "live"))[0]).toMatchObject({ status: 403, code: "test_key_required" });
});

test("a call without a recognized key belongs to no merchant and is not logged", async () => {
  const { id, sk_test } = await aShop(world);
  for (const key of [undefined, "nonsense", `${sk_test}x`]) await call(gateway, "GET", "/balance", { key });
  await call(gateway, "GET", "/", {});
  await call(gateway, "GET", "/balance", { key: sk_test });
  expect((await logged(id, 1)).map(({ status }) => status)).toEqual([200]);
});

test("no full key and no header is in the log, and of live calls neither body nor query string, wherever the caller put it", async () => {
  const { id, ...keys } = await aShop(world);
  const words = ["Zainab Secretive", "queried-value"];
  const everywhere = ["headered-value", "session-cookie"];
  for (const mode of ["test", "live"] as const) {
    const [secret, open] = [keys[`sk_${mode}`], keys[`pk_${mode}`]];
    const headers = {
      authorization: `Bearer ${secret}`,
      "content-type": "application/json",
      "x-custom": "headered-value",
      cookie: "session-cookie=1",
    };
    const send = (path: string, init: RequestInit = {}) =>
      fetch(`${gateway.url}${path}`, { ...init, headers: { ...headers, ...init.headers } });
    await send(`/balance?token=queried-value&key=${secret}`);
    await send(`/customer_accounts/${secret}`);
    await send(`/customer_accounts?${secret.replaceAll("_", "%5F")}=queried-value`);
    await send("/balance", { headers: { "x-request-id": secret } });
    const body = JSON.stringify({ customer_reference: "c1", customer_name: "Zainab Secretive", key: secret });
    await send("/customer_accounts", { method: "POST", body });
    const order = { amount: 2500, customer_name: "Zainab Secretive" };
    await call(gateway, "POST", "/checkout", { key: open, body: order });
    await logged(id, 6, mode);
    const { rows } = await world.owner.query<{ row: string }>(
      "select c::text as row from api_calls c where merchant_id = $1 and mode = $2",
      [id, mode],
    );
    const stored = rows.map(({ row }) => row).join("\n");
    expect(stored).toContain(`sk_${mode}_…`);
    for (const never of [secret.slice(8, -4), open.slice(8, -4), ...everywhere]) expect(stored).not.toContain(never);
    for (const word of words) expect([mode, stored.includes(word)]).toEqual([mode, mode === "test"]);
  }
});

test("the longest reference is logged in full, and a longer path is cut", async () => {
  const { id, sk_test } = await aShop(world);
  const reference = "a".repeat(80);
  await call(gateway, "GET", `/customer_accounts/${reference}`, { key: sk_test });
  await call(gateway, "GET", `/customer_accounts/${"b".repeat(1_000)}`, { key: sk_test });
  const [cut, whole] = (await logged(id, 2)).map(({ path }) => path);
  expect(whole).toBe(`/v1/customer_accounts/${reference}`);
  expect([cut?.length, cut?.startsWith("/v1/customer_accounts/bbb")]).toEqual([300, true]);
});

test("a caller that disconnects before the response is logged with status 499", async () => {
  const { id, sk_test } = await aShop(world);
  const before = others.asked.length;
  const socket = connect(gateway.port, "127.0.0.1");
  socket.write(drip("/customer_accounts", sk_test));
  await until("the key was recognized", async () => {
    const { rowCount } = await world.owner.query("select from rate_limit_cells where merchant_id = $1", [id]);
    return rowCount === 1;
  });
  socket.destroy();
  const [aborted] = await logged(id, 1);
  expect(aborted).toMatchObject({ method: "POST", path: "/v1/customer_accounts" });
  expect(aborted?.status).toBeGreaterThanOrEqual(400);
  expect(others.asked).toHaveLength(before);
});

test("calls that are queued when the service stops are written", async () => {
  const { id, sk_test } = await aShop(world);
  const stopping = await startGateway(world);
  await Promise.all(Array.from({ length: 40 }, () => call(stopping, "GET", "/balance", { key: sk_test })));
  await stopping.stop();
  expect((await browse(id, { limit: 100 })).data).toHaveLength(40);
});
