import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createInternalServer } from "../src/index.ts";

const server = createInternalServer({
  host: "127.0.0.1",
  port: 0,
  pages: {
    "/readyz": async () => ({ status: 503, json: { status: "unready" } }),
    "/metrics": async () => ({ status: 200, type: "text/plain; version=0.0.4", text: "up 1\n" }),
    "/broken": async () => {
      throw new Error("password=hunter2");
    },
  },
});

beforeAll(() => server.start());
afterAll(() => server.stop());

const call = async (path: string, method = "GET") => {
  const response = await fetch(`http://127.0.0.1:${server.port()}${path}`, { method });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe("the internal server", () => {
  test("answers with the page of the path, whatever the query", async () => {
    const ready = await call("/readyz?verbose");
    expect([ready.status, JSON.parse(ready.text)]).toEqual([503, { status: "unready" }]);
    const metrics = await call("/metrics");
    expect([metrics.headers.get("content-type"), metrics.text]).toEqual(["text/plain; version=0.0.4", "up 1\n"]);
  });

  test.each(["/", "/metrics/", "/toString", "/__proto__"])("has nothing at %s", async (path) => {
    expect(await call(path)).toMatchObject({ status: 404, text: '{"error":"not_found"}\n' });
  });

  test.each(["POST", "HEAD", "DELETE", "OPTIONS"])("refuses %s", async (method) => {
    const { status, headers } = await call("/metrics", method);
    expect([status, headers.get("allow")]).toEqual([405, "GET"]);
  });

  test("shows nothing of an error", async () => {
    expect(await call("/broken")).toMatchObject({ status: 500, text: '{"error":"internal_error"}\n' });
  });

  test("one neighbor has eight connections, and others are answered while those are idle, and after they were closed", async () => {
    // On Linux every address of 127.0.0.0/8 is one of this machine.
    const localAddress = process.platform === "linux" ? "127.0.0.2" : "127.0.0.1";
    const sockets = Array.from({ length: 80 }, () => connect({ port: server.port(), host: "127.0.0.1", localAddress }));
    const received = sockets.map(async (socket) => {
      let text = "";
      socket
        .on("error", () => {})
        .on("data", (data) => {
          text += data;
        });
      await once(socket, "close");
      return text;
    });
    await Promise.race(received);
    if (localAddress !== "127.0.0.1") expect(await call("/metrics")).toMatchObject({ status: 200 });
    const texts = await Promise.all(received);
    const waited = texts.filter((text) => text.startsWith("HTTP/1.1 408"));
    expect(waited.length).toBeGreaterThan(0);
    expect(waited.length).toBeLessThanOrEqual(8);
    expect(texts.filter((text) => text === "")).toHaveLength(80 - waited.length);
    expect(await call("/metrics")).toMatchObject({ status: 200 });
  });
});
