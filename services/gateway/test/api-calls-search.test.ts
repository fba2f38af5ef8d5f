import { randomId } from "@collect/testing";
import { beforeEach, expect, test } from "vitest";
import { aShop, call, type LogFilter, requestLogOf, useGateway } from "./gateway.ts";
import { useOthers } from "./others.ts";
import { codeOf } from "./people.ts";

const { world, gateway } = await useGateway();
const others = await useOthers(world);
const { browse, logged } = requestLogOf(world);

beforeEach(() => others.refuseWith(undefined));

/** Calls of a merchant, newest first, a minute apart. */
async function someCalls(calls: { method: string; status: number; path: string; request_id?: string }[]) {
  const id = randomId("mer");
  for (const [index, { method, status, path, request_id }] of calls.entries())
    await world.owner.query(
      `insert into api_calls (merchant_id, mode, at, request_id, method, path, status, outcome, duration_ms, key)
       values ($1, 'test', timestamptz '2026-11-20 12:00:00Z' - $2 * interval '1 minute', $3, $4, $5, $6::int,
         case when $6 >= 500 then 'server_error' when $6 >= 400 then 'client_error' else 'ok' end, 3, 'sk_test_…3xYz')`,
      [id, index, request_id ?? randomId("req"), method, path, status],
    );
  return id;
}

test("the log is paginated, newest first, and each call is on exactly one page", async () => {
  const paths = Array.from({ length: 11 }, (_, index) => `/v1/customer_accounts/c${index}`);
  const id = await someCalls(
    paths.map((path, index) => ({
      method: index % 3 ? "GET" : "POST",
      status: [200, 404, 503][index % 3] ?? 200,
      path,
    })),
  );
  // Some at the same time: the id decides.
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

test("calls are filtered by outcome, method and time, and searched by request id and beginning of the path", async () => {
  const id = await someCalls([
    { method: "GET", status: 200, path: "/v1/balance", request_id: "order-1" },
    { method: "HEAD", status: 200, path: "/v1/balance" },
    { method: "POST", status: 201, path: "/v1/payments" },
    { method: "GET", status: 404, path: "/v1/payments/pay_1" },
    { method: "POST", status: 422, path: "/v1/payments" },
    { method: "GET", status: 504, path: "/v1/balance", request_id: "order-1" },
  ]);
  const found = async (asked: LogFilter) =>
    (await browse(id, asked)).data.map(({ path, status }) => `${status} ${path}`);
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

test("a search with very many hits paginates in the same order", async () => {
  const id = randomId("mer");
  await world.owner.query(
    `insert into api_calls (merchant_id, mode, at, request_id, method, path, status, outcome, duration_ms, key)
     select $1, 'test', timestamptz '2026-11-20 12:00:00Z' + n * interval '1 second', 'req-' || n,
       case n % 3 when 0 then 'POST' else 'GET' end, '/v1/balance', 200, 'ok', 3, 'sk_test_…3xYz' from generate_series(1, 20100) n`,
    [id],
  );
  const ids = async (asked: LogFilter) => (await browse(id, asked)).data.map(({ request_id }) => request_id);
  const newest = (...numbers: number[]) => numbers.map((n) => `req-${n}`);
  expect(await ids({ search: "/balance", limit: 3 })).toEqual(newest(20100, 20099, 20098));
  expect(await ids({ search: "/balance", limit: 2, method: "POST" })).toEqual(newest(20100, 20097));
  const { next } = await browse(id, { search: "/balance", limit: 3 });
  expect(await ids({ search: "/balance", limit: 3, after: next ?? "" })).toEqual(newest(20097, 20096, 20095));
  expect(await ids({ search: "req-7" })).toEqual(newest(7));
});

test("calls of another merchant and of the other mode are never listed", async () => {
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

test("an invalid cursor or time is refused or finds nothing, and never causes an error", async () => {
  const id = await someCalls([{ method: "GET", status: 200, path: "/v1/balance" }]);
  const cursor = (keys: unknown) => Buffer.from(JSON.stringify(keys)).toString("base64url");
  for (const after of ["x", cursor([]), cursor(["now()", "1"]), cursor(["2026-11-20T12:00:00+00:00", "1e9"])])
    expect(await codeOf(browse(id, { after })), after).toBe("validation_failed");
  for (const at of ["0000-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "2026-11-20T12:00:00+23:59"]) {
    expect(await codeOf(browse(id, { from: at }))).toBe("fulfilled");
    expect(await codeOf(browse(id, { before: at, after: cursor([at, "1"]) }))).toBe("fulfilled");
  }
  expect(await codeOf(browse(id, { from: "yesterday" }))).toBe("validation_failed");
});
