import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { Problem } from "@collect/contracts";
import { createLogger, type Logger } from "@collect/runtime";
import type { Request, Response } from "express";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  createHttpApp,
  fromForm,
  httpServer,
  isFromOurPage,
  onlyMethods,
  readBody,
  refuseOtherOrigins,
} from "../src/index.ts";

const silent = createLogger("http", "silent");
const lines: object[] = [];
const log: Logger = { ...silent, info: (line: object) => void lines.push(line), warn: () => {}, error: () => {} };
const server = httpServer({
  host: "127.0.0.1",
  port: 0,
  log,
  requestTimeoutMs: 500,
  problemType: (code) => `/errors/${code}`,
  app: createHttpApp({
    log,
    problemType: (code) => `/errors/${code}`,
    routes: (app) => {
      app.post(
        "/echo",
        readBody({ maxBytes: 1_024 }),
        (request: Request, response: Response) =>
          void response.json({ body: request.body, form: response.locals.form }),
      );
      app.post("/ours", refuseOtherOrigins, (request, response) => void response.json(isFromOurPage(request)));
      app.get("/refused", () => {
        throw new Problem("account_retired", "The account is retired.");
      });
      app.get("/things/:name", (request: Request, response: Response) => void response.json(request.params));
      app.all("/things/:name", onlyMethods("GET"));
      app.get("/busy", () => {
        throw Object.assign(new Error("password=hunter2"), { code: "ECONNREFUSED" });
      });
      app.get("/internal-error", () => {
        throw new Error("password=hunter2");
      });
    },
  }),
});
let port: number;

beforeAll(async () => {
  await server.start();
  port = (server.server.address() as AddressInfo).port;
});
afterAll(() => server.stop());

async function call(path: string, init: RequestInit = {}) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  return { response, body: (await response.json()) as Record<string, unknown> };
}
const post = (body: string, type: string) => call("/echo", { method: "POST", body, headers: { "content-type": type } });

test("a call of another origin's page is refused; a page of this host, a server and a person are not", async () => {
  const origin = `http://127.0.0.1:${port}`;
  const send = async (headers: Record<string, string>) => {
    const { response, body } = await call("/ours", { method: "POST", headers });
    return response.status === 200 ? body : body.code;
  };
  const ours: Record<string, string>[] = [
    { "sec-fetch-site": "same-origin", origin: "null" },
    { "sec-fetch-site": "same-origin" },
    { origin },
  ];
  for (const headers of ours) expect(await send(headers), JSON.stringify(headers)).toBe(true);
  expect([await send({}), await send({ "sec-fetch-site": "none" })]).toEqual([false, false]);
  const others: Record<string, string>[] = [
    ...["cross-site", "same-site"].map((site) => ({ "sec-fetch-site": site, origin })),
    ...["https://evil.example", "null", `${origin}0`, `https://127.0.0.1:${port}`].map((other) => ({ origin: other })),
  ];
  for (const headers of others) expect(await send(headers), JSON.stringify(headers)).toBe("origin_not_allowed");
});

describe("bodies", () => {
  test("JSON and forms give the same fields", async () => {
    expect((await post('{"a":"1"}', "application/json")).body).toEqual({ body: { a: "1" }, form: false });
    expect((await post("a=1", "application/x-www-form-urlencoded")).body).toEqual({ body: { a: "1" }, form: true });
    expect((await call("/echo", { method: "POST" })).body).toEqual({ body: {}, form: false });
  });

  test.each([
    ["{", "application/json", 400, "malformed_body"],
    ["[1]", "application/json", 400, "malformed_body"],
    ["null", "application/json", 400, "malformed_body"],
    ["x".repeat(2_000), "application/json", 413, "body_too_large"],
    ["<a/>", "text/xml", 415, "unsupported_media_type"],
    ["{}", "application/json; charset=klingon", 415, "unsupported_media_type"],
  ])("%j as %s is refused with %s %s", async (body, type, status, code) => {
    const refused = await post(body, type);
    expect(refused.response.status).toBe(status);
    expect(refused.response.headers.get("content-type")).toContain("application/problem+json");
    expect(refused.body).toMatchObject({ status, code, request_id: refused.response.headers.get("x-request-id") });
  });

  test("digits of a form become numbers only where the schema takes a number", () => {
    const schema = z.object({ amount: z.number(), reference: z.string() });
    expect(fromForm(schema, { amount: "10.50", reference: "10", other: "1" })).toEqual({
      amount: 10.5,
      reference: "10",
      other: "1",
    });
    expect(fromForm(schema, { amount: "1e3", reference: "10" })).toEqual({ amount: "1e3", reference: "10" });
    // Names of Object.prototype are ordinary fields, unknown to this schema.
    expect(fromForm(schema, { constructor: "1", toString: "2" })).toEqual({ constructor: "1", toString: "2" });
  });
});

describe("responses", () => {
  test("a call with an unknown Expect header is answered", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write("GET /refused HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nConnection: close\r\n\r\n");
    let text = "";
    for await (const chunk of socket) text += chunk;
    expect(text).toMatch(/^HTTP\/1\.1 409 /);
    expect(text.toLowerCase()).toContain("x-request-id: ");
  });

  test("a valid request id is echoed, any other is replaced", async () => {
    const valid = await call("/refused", { headers: { "x-request-id": "my-id:1" } });
    expect(valid.response.headers.get("x-request-id")).toBe("my-id:1");
    const invalid = await call("/refused", { headers: { "x-request-id": "<script>" } });
    expect(invalid.response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("a refusal and an unknown URL are problems, and an internal error reveals nothing", async () => {
    expect(await call("/refused")).toMatchObject({
      response: { status: 409 },
      body: { code: "account_retired", type: "/errors/account_retired" },
    });
    expect(await call("/nowhere")).toMatchObject({ response: { status: 404 }, body: { code: "not_found" } });
    const internalError = await call("/internal-error");
    expect(internalError.response.status).toBe(500);
    expect(JSON.stringify(internalError.body)).not.toContain("hunter2");
  });

  test("the log line of a request has its outcome: the code of a refusal, or ok", async () => {
    lines.length = 0;
    for (const path of ["/refused", "/nowhere", "/things/a"]) await call(path);
    await expect.poll(() => lines.length).toBe(3);
    expect(lines).toMatchObject([
      { route: "/refused", status: 409, outcome: "account_retired" },
      { status: 404, outcome: "not_found" },
      { route: "/things/:name", status: 200, outcome: "ok" },
    ]);
  });

  test("an unreachable database makes a 503 that does not mention it", async () => {
    const { response, body } = await call("/busy");
    expect([response.status, body.code]).toEqual([503, "service_unavailable"]);
    expect(JSON.stringify(body)).not.toContain("hunter2");
  });

  test("a path that cannot be decoded is routed like any other", async () => {
    expect((await call("/things/%zz?%")).body).toEqual({ name: "%zz" });
    expect((await call("/things/a%20b")).body).toEqual({ name: "a b" });
  });

  test("an unsupported method is refused with the allowed ones", async () => {
    const { response, body } = await call("/things/a", { method: "DELETE" });
    expect([response.status, body.code, response.headers.get("allow")]).toEqual([
      405,
      "method_not_allowed",
      "GET, HEAD",
    ]);
  });

  test("a slow request is answered with 408 and disconnected", async () => {
    const answer = await new Promise<string>((resolve) => {
      let text = "";
      const socket = connect(port, "127.0.0.1", () => {
        socket.write(
          "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
        );
      });
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("close", () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({ status: 408, code: "request_timeout" });
  });

  test("input that is not HTTP is answered with 400 in the same format", async () => {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => socket.write("hello\r\n\r\n"));
      socket.on("data", (chunk) => resolve(chunk.toString()));
    });
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('"code":"malformed_body"');
  });
});
