import { describe, expect, test } from "vitest";
import { collect } from "./binary.ts";
import { logged, respond, serve, serveLog } from "./servers.ts";

const KEY = ["--key", "sk_test_abc"];

describe("a command that is not understood exits with 2 and sends nothing", () => {
  test.each<[string, string[], RegExp]>([
    ["without a key", ["events", "list"], /API key is missing/],
    ["with something else as key", ["settle", "--key", "whsec_abc"], /must be an API key/],
    ["with a live key that lacks its URL", ["events", "list", "--key", "sk_live_abc"], /needs baseUrl/],
    ["without a command", KEY, /Usage: collect/],
    ["with an unknown option", ["events", "list", "--pages", "3", ...KEY], /unknown option/],
    ["with an amount that is none", ["trigger", "collection.success", "--amount", "much", ...KEY], /Give naira/],
    ["with a time that is none", ["clock", "advance", "soon", ...KEY], /36h or 30d/],
    ["with an event that cannot be triggered", ["trigger", "webhook.test", ...KEY], /Allowed choices/],
    ["with a URL that is none", ["listen", "--forward-to", "localhost:3000", ...KEY], /complete URL/],
    ["with a secret that is none", ["listen", "--secret", "sk_test_abc", ...KEY], /begins with whsec_/],
    ["with an age that is none", ["listen", "--from", "yesterday", ...KEY], /30m, 12h or 7d/],
  ])("%s", async (_what, args, message) => {
    const { code, stdout, stderr } = await collect(args);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(message)]);
  });

  test.each([["settle"], ["clock", "advance", "1h"], ["trigger", "transfer.success"]])(
    "%s, with a live key",
    async (...args) => {
      const api = await serve((_request, response) => respond(response, 200, {}));
      const given = [...args, "--key", "sk_live_abc", "--base-url", `${api.url}/v1`];
      const { code, stderr } = await collect(given);
      expect([code, stderr, api.received]).toEqual([2, expect.stringMatching(/needs a test key/), []]);
    },
  );
});

test("help exits with 0", async () => {
  expect(await collect(["payments", "create", "--help"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/--amount/),
  });
});

test("a refusal exits with 1 and is printed to standard error in the API's words, or as JSON", async () => {
  const problem = { status: 404, code: "not_found", detail: "There is no such payment.", request_id: "req_7" };
  const api = await serve((_request, response) => respond(response, 404, problem));
  const args = ["payments", "show", "pay_1", ...KEY, "--base-url", `${api.url}/v1`];
  expect(await collect(args)).toEqual({
    ...{ code: 1, stdout: "" },
    stderr: "not_found: There is no such payment. (request req_7)\n",
  });
  const { code, stderr } = await collect([...args, "--json"]);
  expect([code, JSON.parse(stderr)]).toEqual([1, { error: expect.objectContaining(problem) }]);
});

test("key and URL come from the environment, too, and a key alone means the local sandbox", async () => {
  const api = await serve((_request, response) => respond(response, 200, { customer_reference: "cust_42" }));
  const environment = { COLLECT_KEY: "sk_test_abc", COLLECT_BASE_URL: `${api.url}/v1` };
  const { stdout } = await collect(["accounts", "show", "cust_42"], environment);
  expect(stdout).toBe("customer_reference  cust_42\n");
  expect(api.received).toMatchObject([{ headers: { authorization: "Bearer sk_test_abc" } }]);
});

describe("clock advance", () => {
  // Real time does not get there.
  const now = "2126-11-22T10:00:00.000+00:00";
  const serveClock = (left: number) =>
    serve(({ method }, response) => respond(response, 200, { now, has_more: method === "POST" && --left >= 0 }));
  const advance = (api: { url: string }, until: string) =>
    collect(["clock", "advance", until, ...KEY, "--base-url", `${api.url}/v1`]);
  const sent = (api: Awaited<ReturnType<typeof serveClock>>) =>
    api.received.map(({ method, body }) => [method, body.toString()]);

  test("goes to a time by the test clock, with as many calls as it takes", async () => {
    const api = await serveClock(2);
    expect(await advance(api, "36h")).toMatchObject({ code: 0, stdout: expect.stringMatching(/has_more {2}false/) });
    const call = ["POST", '{"advance_to":"2126-11-23T22:00:00.000Z"}'];
    expect(sent(api)).toEqual([["GET", ""], call, call, call]);
  });

  test("takes a time as it is", async () => {
    const api = await serveClock(0);
    await advance(api, "2026-12-01T00:00:00+01:00");
    expect(sent(api)).toEqual([["POST", '{"advance_to":"2026-11-30T23:00:00.000Z"}']]);
  });
});

describe("a list", () => {
  const rows = Array.from({ length: 150 }, (_, index) => ({
    ...{ reference: `col_${index}`, customer_reference: null, amount: 5, net: 4.95 },
    ...{ payer_name: "NGOZI EZE", paid_at: "2026-11-22T10:00:00.000+00:00" },
  }));
  const serveRows = () =>
    serve(({ url }, response) => {
      const after = Number(url.searchParams.get("after") ?? 0);
      const limit = Number(url.searchParams.get("limit"));
      const data = rows.slice(after, after + limit);
      const next = after + limit < rows.length ? String(after + limit) : null;
      respond(response, 200, { data, limit, has_more: next !== null, next });
    });

  test("is read over as many pages as it takes, and no more", async () => {
    const api = await serveRows();
    const list = ["collections", "list", "--json", ...KEY, "--base-url", `${api.url}/v1`];
    const { stdout } = await collect([...list, "--limit", "120"]);
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(rows.slice(0, 120));
    expect(api.received.map(({ url }) => url.search)).toEqual(["?limit=100", "?limit=100&after=100"]);
  });

  test("is a table for people", async () => {
    const api = await serveRows();
    const { stdout } = await collect(["collections", "list", "--limit", "1", ...KEY, "--base-url", `${api.url}/v1`]);
    expect(stdout).toBe(
      [
        "REFERENCE  CUSTOMER  AMOUNT  NET   PAYER      PAID",
        "col_0      –         5.00    4.95  NGOZI EZE  2026-11-22T10:00:00.000+00:00\n",
      ].join("\n"),
    );
  });
});

describe("events list", () => {
  const events = (api: { url: string }, ...args: string[]) =>
    collect(["events", "list", "--json", ...args, ...KEY, "--base-url", `${api.url}/v1`]);
  const numbers = ({ stdout }: { stdout: string }) =>
    stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line).sequence);

  test("shows the last events, or those from a number on", async () => {
    const api = await serveLog([1, 2, 3, 4, 5].map((sequence) => logged(sequence)));
    expect(numbers(await events(api, "--limit", "2"))).toEqual([4, 5]);
    expect(numbers(await events(api, "--limit", "2", "--from", "2"))).toEqual([2, 3]);
  });

  test("finds the first event of the last hours with a call for each halving of the log", async () => {
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const api = await serveLog(Array.from({ length: 1_000 }, (_, index) => logged(index + 1, hoursAgo(1_000 - index))));
    expect(numbers(await events(api, "--from", "12h", "--limit", "100"))[0]).toBe(990);
    expect(api.received.length).toBeLessThan(15);
    expect(numbers(await events(api, "--from", "0s"))).toEqual([]);
  });

  test("one event is shown by its number, and a number that is not there is refused", async () => {
    const api = await serveLog([logged(1), logged(2)]);
    const show = (id: string) => collect(["events", "show", id, "--json", ...KEY, "--base-url", `${api.url}/v1`]);
    expect(JSON.parse((await show("2")).stdout)).toEqual(logged(2));
    expect(await show("3")).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/not_found/) });
  });
});
