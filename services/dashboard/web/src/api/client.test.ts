import { expect, test } from "vitest";
import { useServer } from "../../test/server.ts";
import { call, fillPath, queryOf } from "./client.ts";
import { ApiProblem, errorsByField, messageOf } from "./problem.ts";

const server = useServer();

const failureOf = async (work: Promise<unknown>): Promise<ApiProblem> => {
  const problem = await work.then(
    () => undefined,
    (error) => error,
  );
  if (!(problem instanceof ApiProblem)) throw new Error("the call was not refused with a problem");
  return problem;
};

test("a reference is one encoded path segment, whatever it contains, and is not resent in the body", () => {
  expect(fillPath("collections/:reference/timeline", { reference: "a/b?c", limit: 5 })).toEqual({
    address: "collections/a%2Fb%3Fc/timeline",
    fields: { limit: 5 },
  });
});

test("a path without its reference is never requested", () => {
  expect(() => fillPath("collections/:reference", {})).toThrow("lacks its reference");
});

test.each([".", ".."])("the reference %j, which a browser would resolve to another path, is refused", (reference) => {
  expect(() => fillPath("customer_accounts/:reference/simulate", { reference })).toThrow(ApiProblem);
});

test("an unset filter is omitted; 0 and false are sent", () => {
  expect(queryOf({ search: "", after: undefined, before: null })).toBe("");
  expect(queryOf({ limit: 0, is_open: false, search: "a&b" })).toBe("?limit=0&is_open=false&search=a%26b");
});

test("reads use the query string, writes send JSON", async () => {
  server.answers("GET", "list", () => ({ data: [] }));
  server.answers("POST", "things/:id", () => ({ done: true }));
  expect(await call("GET", "/api", "list", { limit: 5 })).toEqual({ data: [] });
  expect(await call("POST", "/api", "things/:id", { id: "x", amount: 2500.09 })).toEqual({ done: true });
  expect(server.sent).toEqual([
    { method: "GET", path: "list", fields: { limit: "5" } },
    { method: "POST", path: "things/x", fields: { amount: 2500.09 } },
  ]);
});

test("a refusal keeps its code, message, field errors and request id", async () => {
  const errors = [
    { param: "url", code: "invalid", message: "must be https" },
    { param: "url", code: "invalid", message: "must be public" },
    { param: "name", code: "required", message: "is required" },
  ];
  server.refuses("POST", "webhook", {
    status: 422,
    code: "validation_failed",
    detail: "The URL is not right.",
    errors,
    request_id: "req_1",
  });
  const problem = await failureOf(call("POST", "/api", "webhook"));
  expect([problem.status, problem.code, problem.requestId]).toEqual([422, "validation_failed", "req_1"]);
  expect(messageOf(problem)).toBe("The URL is not right.");
  expect(errorsByField(problem)).toEqual({ url: "must be https", name: "is required" });
});

test("an HTML error page from a proxy is shown as a plain message, never as markup", async () => {
  server.answers("POST", "pay", (_call, response) => {
    response.statusCode = 502;
    response.end("<html>Bad gateway</html>");
  });
  const problem = await failureOf(call("POST", "/api", "pay"));
  expect(problem.status).toBe(502);
  expect(messageOf(problem)).toContain("unexpected response");
  expect(messageOf(problem)).toContain("may or may not have been completed");
});

test("a lost response to a write says that it may have been completed", async () => {
  server.answers("POST", "pay", (_call, response) => void response.destroy());
  const problem = await failureOf(call("POST", "/api", "pay"));
  expect([problem.status, problem.code]).toEqual([0, "unreachable"]);
  expect(messageOf(problem)).toContain("may or may not have been completed");
});

test("a truncated response is not a success", async () => {
  server.answers("POST", "pay", (_call, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
    response.write('{"transfer":');
    setImmediate(() => response.destroy());
  });
  const problem = await failureOf(call("POST", "/api", "pay"));
  expect([problem.status, problem.code]).toEqual([0, "unreachable"]);
  expect(messageOf(problem)).toContain("may or may not have been completed");
});

test("a read without a response can simply be retried", async () => {
  server.answers("GET", "balance", (_call, response) => void response.destroy());
  expect(messageOf(await failureOf(call("GET", "/api", "balance")))).toBe(
    "The server isn't responding. Check your connection and try again.",
  );
});

test("an unexpected error is not shown verbatim in a form", () => {
  expect(errorsByField(new Error("x is undefined"))).toEqual({});
  expect(messageOf("a string")).toBe("Something went wrong on this page. Reload it to see where things stand.");
});
