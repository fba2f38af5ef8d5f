import { readFile } from "node:fs/promises";
import { setTimeout as later } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Client, createClient } from "../src/index.ts";
import { type Api, hangUp, json, problem, silence, startApi } from "./api.ts";

let api: Api;
let client: Client;

beforeEach(async () => {
  api = await startApi();
  client = createClient({ key: "sk_test_abc", baseUrl: api.baseUrl });
});
afterEach(() => api.stop());

const HEADERS = {
  "x-request-id": "req_5",
  "ratelimit-policy": '"reads";q=600;w=3600',
  ratelimit: '"reads";r=599;t=3660',
};
const BUDGET = { name: "reads", limit: 600, windowS: 3_600, remaining: 599, resetS: 3_660 };

describe("what a response says beside its JSON", () => {
  test("is at hand for every call, and the JSON is the same without it", async () => {
    api.reply(json(200, { settled: 5 }, HEADERS));
    const { data, response } = await client.getBalance().withResponse();
    expect(data).toEqual(await client.getBalance());
    expect(response).toMatchObject({ status: 200, requestId: "req_5", rateLimit: BUDGET });
    expect(response.headers.get("content-type")).toBe("application/json");
  });

  test("has no budget for a call that has none", async () => {
    const { response } = await client.openPayment({ amount: 5 }).withResponse();
    expect(response).toMatchObject({ requestId: null, rateLimit: null });
  });

  test("is in an error, too", async () => {
    api.reply(problem(404, "not_found", HEADERS));
    await expect(client.getPayment("pay_1")).rejects.toMatchObject({ requestId: "req_1", rateLimit: BUDGET });
  });

  test("is rejected with the call, which then counts as handled", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    api.reply(problem(404, "not_found"));
    await expect(client.getPayment("pay_1").withResponse()).rejects.toMatchObject({ code: "not_found" });
    await later(0);
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });
});

test("a call names the SDK with its version, but not in a browser", async () => {
  const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
  await client.getBalance();
  vi.stubGlobal("document", {});
  onTestFinished(() => void vi.unstubAllGlobals());
  await client.getBalance();
  const [server, browser] = api.asked.map(({ headers }) => headers["user-agent"]);
  expect(server).toBe(`collect-sdk/${version} node/${process.versions.node}`);
  expect(browser).not.toContain("collect-sdk");
});

describe("the caller's signal", () => {
  const reason = new Error("the page was closed");

  test("ends a call that waits for its response, which is not retried", async () => {
    api.reply(silence);
    const controller = new AbortController();
    const call = client.getBalance({ signal: controller.signal });
    await expect.poll(() => api.asked.length).toBe(1);
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(api.asked).toHaveLength(1);
  });

  test("ends a call that waits for its next attempt", async () => {
    api.reply(problem(429, "rate_limited", { "retry-after": "30" }));
    const controller = new AbortController();
    const call = client.getBalance({ signal: controller.signal });
    await expect.poll(() => api.asked.length).toBe(1);
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  test("ends a call before it is sent", async () => {
    await expect(client.getBalance({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(api.asked).toEqual([]);
  });

  test("does not hide the client's own errors", async () => {
    api.reply(hangUp);
    const patient = createClient({ key: "sk_test_abc", baseUrl: api.baseUrl, retries: 0 });
    const { signal } = new AbortController();
    await expect(patient.getBalance({ signal })).rejects.toMatchObject({ code: "network_error" });
  });
});

test("a call may have a time of its own, and the others keep the client's", async () => {
  api.reply(silence);
  const order = { amount: 5 };
  await expect(client.openPayment(order, { timeoutMs: 50 })).rejects.toMatchObject({ code: "timeout" });
  expect(api.asked).toHaveLength(1);
});

describe("a list is iterated to its end", () => {
  const rows = async <Row>(list: AsyncIterable<Row>): Promise<Row[]> => {
    const found: Row[] = [];
    for await (const row of list) found.push(row);
    return found;
  };
  const paths = () => api.asked.map(({ path }) => path.replace("/v1", ""));

  test("by cursor, with the filter and the page size of the call", async () => {
    api.reply(
      json(200, { data: [{ reference: "col_3" }, { reference: "col_2" }], limit: 2, has_more: true, next: "c2" }),
      json(200, { data: [{ reference: "col_1" }], limit: 2, has_more: false, next: null }),
    );
    const found = await rows(client.listCollections({ limit: 2, customer_reference: "cust_42" }));
    expect(found.map(({ reference }) => reference)).toEqual(["col_3", "col_2", "col_1"]);
    expect(paths()).toEqual([
      "/collections?limit=2&customer_reference=cust_42",
      "/collections?limit=2&customer_reference=cust_42&after=c2",
    ]);
  });

  test("by cursor after a first page by offset", async () => {
    api.reply(
      json(200, { data: [{}, {}], limit: 2, offset: 4, has_more: true, next: "c1" }),
      json(200, { data: [{}], limit: 2, offset: 0, has_more: false, next: null }),
    );
    expect(await rows(client.listTransfers({ limit: 1_000, offset: 4 }))).toHaveLength(3);
    expect(paths()).toEqual(["/transfers?limit=1000&offset=4", "/transfers?limit=1000&after=c1"]);
  });

  test("by number, in the event log", async () => {
    api.reply(
      json(200, { data: [{ sequence: 1 }], limit: 1, has_more: true, next: 1 }),
      json(200, { data: [{ sequence: 2 }], limit: 1, has_more: false, next: 2 }),
    );
    expect(await rows(client.listEvents({ limit: 1 }))).toEqual([{ sequence: 1 }, { sequence: 2 }]);
    expect(paths()).toEqual(["/events?limit=1", "/events?limit=1&after_sequence=1"]);
  });

  test("but no further than it is read, and one page if it is awaited", async () => {
    const page = { data: [{ reference: "col_3" }], limit: 1, has_more: true, next: "c3" };
    api.reply(json(200, page, HEADERS));
    for await (const { reference } of client.listCollections()) if (reference === "col_3") break;
    expect(await client.listCollections()).toEqual(page);
    expect((await client.listCollections().withResponse()).response.rateLimit).toEqual(BUDGET);
    expect(paths()).toEqual(["/collections", "/collections", "/collections"]);
  });

  test("and a refusal is thrown, also of a later page", async () => {
    api.reply(json(200, { data: [{}], limit: 1, has_more: true, next: "c1" }), problem(403, "insufficient_scope"));
    await expect(rows(client.listPayments())).rejects.toMatchObject({ code: "insufficient_scope" });
  });
});
