import { connect } from "node:net";
import { browseApiCalls } from "@collect/contracts";
import { someId, until, type World } from "@collect/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { aShop, call, type Gateway, openGatewayWorld, startGateway } from "./gateway.ts";
import { type Others, playOthers } from "./others.ts";
import { codeOf } from "./people.ts";
import { drip } from "./socket.ts";

let world: World;
let gateway: Gateway;
let others: Others;

beforeAll(async () => {
  world = await openGatewayWorld();
  gateway = await startGateway(world);
  others = await playOthers(world);
});
afterAll(async () => {
  await gateway.stop();
  await others.stop();
  await world.close();
});
beforeEach(() => others.refuseWith(undefined));

type Asked = Omit<Parameters<typeof world.others.request<typeof browseApiCalls>>[1], "merchant">;
const browse = (id: string, asked: Asked = {}, mode: "test" | "live" = "test") =>
  world.others.request(browseApiCalls, { merchant: { id, mode }, ...asked });
const logged = (id: string, count: number, mode: "test" | "live" = "test") =>
  until(`${count} calls are logged`, async () => {
    const { data } = await browse(id, {}, mode);
    return data.length >= count && data;
  });

test("each call with a recognised key is logged in its mode: what was called, how it ended, with which key", async () => {
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

test("calls that are refused before anything else are logged too: wrong kind of key, spent budget, no body", async () => {
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

test("a call without a recognised key is nobody's and is not logged", async () => {
  const { id, sk_test } = await aShop(world);
  for (const key of [undefined, "nonsense", `${sk_test}x`]) await call(gateway, "GET", "/balance", { key });
  await call(gateway, "GET", "/", {});
  await call(gateway, "GET", "/balance", { key: sk_test });
  expect((await logged(id, 1)).map(({ status }) => status)).toEqual([200]);
});

test("no whole key, body, header or query string is in the log, wherever it was put", async () => {
  const { id, sk_test, pk_test } = await aShop(world);
  const words = ["Zainab Secretive", "queried-value", "headered-value", "session-cookie"];
  const headers = {
    authorization: `Bearer ${sk_test}`,
    "content-type": "application/json",
    "x-custom": "headered-value",
    cookie: "session-cookie=1",
  };
  const send = (path: string, init: RequestInit = {}) =>
    fetch(`${gateway.url}${path}`, { ...init, headers: { ...headers, ...init.headers } });
  await send("/balance?token=queried-value");
  await send(`/customer_accounts/${sk_test}`);
  await send(`/customer_accounts/${sk_test.replaceAll("_", "%5F")}?x=queried-value`);
  await send("/balance", { headers: { "x-request-id": sk_test } });
  const body = JSON.stringify({ customer_reference: "c1", customer_name: "Zainab Secretive", key: sk_test });
  await send("/customer_accounts", { method: "POST", body });
  await call(gateway, "POST", "/checkout", { key: pk_test, body: { amount: 2500, customer_name: "Zainab Secretive" } });
  await logged(id, 6);
  const { rows } = await world.owner.query<{ row: string }>("select c::text as row from api_calls c");
  const stored = rows.map(({ row }) => row).join("\n");
  expect(stored).toContain("sk_test_…");
  for (const secret of [sk_test.slice(8, -4), pk_test.slice(8, -4), ...words, "Zainab"])
    expect(stored).not.toContain(secret);
});

test("the longest reference is kept whole, and a longer path is cut", async () => {
  const { id, sk_test } = await aShop(world);
  const reference = "a".repeat(80);
  await call(gateway, "GET", `/customer_accounts/${reference}`, { key: sk_test });
  await call(gateway, "GET", `/customer_accounts/${"b".repeat(1_000)}`, { key: sk_test });
  const [cut, whole] = (await logged(id, 2)).map(({ path }) => path);
  expect(whole).toBe(`/v1/customer_accounts/${reference}`);
  expect([cut?.length, cut?.startsWith("/v1/customer_accounts/bbb")]).toEqual([300, true]);
});

test("a caller that hangs up before its answer is there is logged as one", async () => {
  const { id, sk_test } = await aShop(world);
  const before = others.asked.length;
  const socket = connect(gateway.port, "127.0.0.1");
  socket.write(drip("/customer_accounts", sk_test));
  await until("the key was recognised", async () => {
    const { rowCount } = await world.owner.query("select from rate_limit_cells where merchant_id = $1", [id]);
    return rowCount === 1;
  });
  socket.destroy();
  const [aborted] = await logged(id, 1);
  expect(aborted).toMatchObject({ method: "POST", path: "/v1/customer_accounts" });
  expect(aborted?.status).toBeGreaterThanOrEqual(400);
  expect(others.asked).toHaveLength(before);
});

test("what is logged when the service stops is not lost", async () => {
  const { id, sk_test } = await aShop(world);
  const stopping = await startGateway(world);
  await Promise.all(Array.from({ length: 40 }, () => call(stopping, "GET", "/balance", { key: sk_test })));
  await stopping.stop();
  expect((await browse(id, { limit: 100 })).data).toHaveLength(40);
});

/** Calls of a merchant, the newest first, a minute between them. */
async function someCalls(calls: { method: string; status: number; path: string; request_id?: string }[]) {
  const id = someId("mer");
  for (const [index, { method, status, path, request_id }] of calls.entries())
    await world.owner.query(
      `insert into api_calls (merchant_id, mode, at, request_id, method, path, status, outcome, duration_ms, key)
       values ($1, 'test', timestamptz '2026-11-20 12:00:00Z' - $2 * interval '1 minute', $3, $4, $5, $6::int,
         case when $6 >= 500 then 'server_error' when $6 >= 400 then 'client_error' else 'ok' end, 3, 'sk_test_…3xYz')`,
      [id, index, request_id ?? someId("req"), method, path, status],
    );
  return id;
}

test("the log is walked page by page, newest first, and each call is on one page", async () => {
  const paths = Array.from({ length: 11 }, (_, index) => `/v1/customer_accounts/c${index}`);
  const id = await someCalls(
    paths.map((path, index) => ({
      method: index % 3 ? "GET" : "POST",
      status: [200, 404, 503][index % 3] ?? 200,
      path,
    })),
  );
  // Some at the very same time: the id decides.
  await world.owner.query("update api_calls set at = timestamptz '2026-11-20 12:00:00Z' where merchant_id = $1", [id]);
  const walked: string[] = [];
  let after: string | undefined;
  do {
    const page = await browse(id, { limit: 3, ...(after && { after }) });
    walked.push(...page.data.map(({ path }) => path));
    after = page.next ?? undefined;
  } while (after);
  expect(walked).toEqual([...paths].reverse());
});

test("calls are found by how they ended, by method, by time, by request id and by how the path begins", async () => {
  const id = await someCalls([
    { method: "GET", status: 200, path: "/v1/balance", request_id: "order-1" },
    { method: "HEAD", status: 200, path: "/v1/balance" },
    { method: "POST", status: 201, path: "/v1/payments" },
    { method: "GET", status: 404, path: "/v1/payments/pay_1" },
    { method: "POST", status: 422, path: "/v1/payments" },
    { method: "GET", status: 504, path: "/v1/balance", request_id: "order-1" },
  ]);
  const found = async (asked: Asked) => (await browse(id, asked)).data.map(({ path, status }) => `${status} ${path}`);
  expect(await found({})).toHaveLength(6);
  expect(await found({ outcome: "ok" })).toEqual(["200 /v1/balance", "200 /v1/balance", "201 /v1/payments"]);
  expect(await found({ outcome: "client_error" })).toEqual(["404 /v1/payments/pay_1", "422 /v1/payments"]);
  expect(await found({ outcome: "server_error" })).toEqual(["504 /v1/balance"]);
  expect(await found({ method: "POST" })).toEqual(["201 /v1/payments", "422 /v1/payments"]);
  expect(await found({ method: "GET", outcome: "ok" })).toHaveLength(2);
  const span = { from: "2026-11-20T12:57:00+01:00", before: "2026-11-20T11:59:00+00:00" };
  expect(await found(span)).toEqual(["201 /v1/payments", "404 /v1/payments/pay_1"]);
  expect(await found({ search: "order-1" })).toEqual(["200 /v1/balance", "504 /v1/balance"]);
  for (const search of ["/v1/payments", "/payments", "payments"])
    expect(await found({ search })).toEqual(["201 /v1/payments", "404 /v1/payments/pay_1", "422 /v1/payments"]);
  expect(await found({ search: "/payments/", outcome: "client_error" })).toEqual(["404 /v1/payments/pay_1"]);
  for (const search of ["%", "/v1/_", "order", "/v1/payments/pay_12", "' or true --"])
    expect(await found({ search })).toEqual([]);
});

test("a search that finds very many pages through them in the same order", async () => {
  const id = someId("mer");
  await world.owner.query(
    `insert into api_calls (merchant_id, mode, at, request_id, method, path, status, outcome, duration_ms, key)
     select $1, 'test', timestamptz '2026-11-20 12:00:00Z' + n * interval '1 second', 'req-' || n,
       case n % 3 when 0 then 'POST' else 'GET' end, '/v1/balance', 200, 'ok', 3, 'sk_test_…3xYz' from generate_series(1, 20100) n`,
    [id],
  );
  const ids = async (asked: Asked) => (await browse(id, asked)).data.map(({ request_id }) => request_id);
  const newest = (...numbers: number[]) => numbers.map((n) => `req-${n}`);
  expect(await ids({ search: "/balance", limit: 3 })).toEqual(newest(20100, 20099, 20098));
  expect(await ids({ search: "/balance", limit: 2, method: "POST" })).toEqual(newest(20100, 20097));
  const { next } = await browse(id, { search: "/balance", limit: 3 });
  expect(await ids({ search: "/balance", limit: 3, after: next ?? "" })).toEqual(newest(20097, 20096, 20095));
  expect(await ids({ search: "req-7" })).toEqual(newest(7));
});

test("the calls of another merchant and of the other mode are not there", async () => {
  const [mine, other] = [await aShop(world), await aShop(world)];
  await call(gateway, "GET", "/balance", { key: mine.sk_test });
  await call(gateway, "GET", "/balance", { key: other.sk_live });
  const [row] = await logged(mine.id, 1);
  await logged(other.id, 1, "live");
  expect((await browse(mine.id, {}, "live")).data).toEqual([]);
  expect((await browse(other.id, {})).data).toEqual([]);
  for (const search of [row?.request_id ?? "", "/balance"]) {
    expect((await browse(mine.id, { search })).data).toHaveLength(1);
    expect((await browse(other.id, { search })).data).toEqual([]);
    expect((await browse(mine.id, { search }, "live")).data).toEqual([]);
  }
});

test("a cursor or a time that makes no sense is refused or finds nothing, and never fails", async () => {
  const id = await someCalls([{ method: "GET", status: 200, path: "/v1/balance" }]);
  const cursor = (place: unknown) => Buffer.from(JSON.stringify(place)).toString("base64url");
  for (const after of ["x", cursor([]), cursor(["now()", "1"]), cursor(["2026-11-20T12:00:00+00:00", "1e9"])])
    expect(await codeOf(browse(id, { after })), after).toBe("validation_failed");
  for (const at of ["0000-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "2026-11-20T12:00:00+23:59"]) {
    expect(await codeOf(browse(id, { from: at }))).toBe("fulfilled");
    expect(await codeOf(browse(id, { before: at, after: cursor([at, "1"]) }))).toBe("fulfilled");
  }
  expect(await codeOf(browse(id, { from: "yesterday" }))).toBe("validation_failed");
});
