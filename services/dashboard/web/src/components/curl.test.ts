import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CurlRequest, curlOf } from "./curl.ts";

/** Commands are executed by a real shell and a real curl, against a server that says what it got. */

const received: { method: string; url: string; authorization: string; type: string; body: string }[] = [];
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  const { authorization = "", "content-type": type = "" } = request.headers;
  received.push({ method: request.method ?? "", url: request.url ?? "", authorization, type, body });
  response.end("done");
});
let origin = "";
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

async function execute(request: Omit<CurlRequest, "url"> & { path: string }, environment: Record<string, string> = {}) {
  const { path, ...rest } = request;
  const command = curlOf({ ...rest, url: `${origin}${path}` });
  const env = { PATH: process.env.PATH, no_proxy: "*", HOME: "/nonexistent", ...environment };
  await promisify(execFile)("/bin/sh", ["-euc", command], { env });
  return received.at(-1);
}

const KEY = "sk_test_0123456789abcdefghij";
const HOSTILE = [
  `{"customer_name":"O'Brien & \\"sons\\""}`,
  `{"description":"$(touch /tmp/x) \`id\` $HOME \\\\ !! %s \\n"}`,
  "'; exit 7; '",
  "@/etc/passwd",
  '{\n  "a": 1\n}\n',
  "-d x",
  "",
  "يوسف 🌸",
];

test.each(HOSTILE)("a body arrives as it was sent: %j", async (text) => {
  const got = await execute({
    method: "POST",
    path: "/v1/payments",
    key: KEY,
    body: { type: "application/json", text },
  });
  expect(got).toEqual({
    method: "POST",
    url: "/v1/payments",
    authorization: `Bearer ${KEY}`,
    type: "application/json",
    body: text,
  });
});

test.each(["/v1/payments?a=1&b=%27x%27&c=$HOME", "/v1/customer_accounts/{a,b}[1-3]?x=[0]", "/v1/it's?y='"])(
  "a URL is called as it was: %s",
  async (path) => {
    const got = await execute({ method: "GET", path, key: KEY, body: null });
    expect([got?.method, got?.url, got?.body]).toEqual(["GET", path, ""]);
  },
);

test("a POST without a body is a POST, and a HEAD is one", async () => {
  for (const method of ["POST", "HEAD"])
    expect((await execute({ method, path: "/v1/sandbox/settle", key: KEY, body: null }))?.method).toBe(method);
});

test("without a key the shell's variable is used, and only it is expanded", async () => {
  const request = { method: "GET", path: "/v1/balance", key: null, body: null };
  expect((await execute(request, { COLLECT_KEY: "sk_live_of_the_shell" }))?.authorization).toBe(
    "Bearer sk_live_of_the_shell",
  );
  await expect(execute(request)).rejects.toThrow(/COLLECT_KEY/);
});
