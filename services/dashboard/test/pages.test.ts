import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import type { Logger } from "@collect/runtime";
import type { World } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Dashboard, openBrowser, openDashboardWorld, startDashboard } from "./dashboard.ts";

const SCRIPT = "console.log('the app');".repeat(200);
const INDEX = `<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><script type="module" nonce="__CSP_NONCE__" src="/assets/index-abc.js"></script>`;

let world: World;
let dashboard: Dashboard;
let web: string;
const logged: { fields: object; message: string }[] = [];
beforeAll(async () => {
  world = await openDashboardWorld();
  web = await mkdtemp(join(tmpdir(), "collect-web-"));
  await mkdir(join(web, "assets"));
  await writeFile(join(web, "index.html"), INDEX);
  await writeFile(join(web, "icon.svg"), "<svg/>");
  await writeFile(join(web, "assets/index-abc.js"), SCRIPT);
  await writeFile(join(web, "assets/index-abc.js.br"), brotliCompressSync(SCRIPT));
  await writeFile(join(web, "assets/index-abc.js.gz"), gzipSync(SCRIPT));
  const log: Logger = {
    ...world.log,
    info: () => {},
    error: () => {},
    warn: (fields, message) => logged.push({ fields, message }),
  };
  dashboard = await startDashboard({ ...world, log }, {}, web);
});
afterAll(async () => {
  await dashboard.stop();
  await world.close();
  await rm(web, { recursive: true });
});

/** The bytes as they travel. */
const fetchRaw = (path: string, headers: Record<string, string> = {}) =>
  new Promise<{ headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const call = request(`${dashboard.url}${path}`, { headers }, (response) => {
      buffer(response).then((body) => resolve({ headers: response.headers, body }), reject);
    });
    call.on("error", reject).end();
  });

test("every path of the app returns the app, with its own nonce and a policy that allows nothing else", async () => {
  const browser = openBrowser(dashboard);
  const nonces: string[] = [];
  for (const path of [
    "/",
    "/m/mer_1/test/collections?x=1",
    "/sign-in/link/abc",
    "/a.b",
    "/%zz",
    "/..%2f..%2fpackage.json",
  ]) {
    const page = await browser.get(path);
    expect([page.status, page.headers.get("cache-control")], path).toEqual([200, "no-store"]);
    const [, nonce = ""] = /nonce="([^"]+)"/.exec(page.text) ?? [];
    expect(page.text).toBe(INDEX.replaceAll("__CSP_NONCE__", nonce));
    expect(page.headers.get("content-security-policy")).toBe(
      `default-src 'none'; script-src 'self' 'nonce-${nonce}'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'; report-uri /api/csp-report`,
    );
    nonces.push(nonce);
  }
  expect(new Set(nonces).size).toBe(nonces.length);
});

test("content-hashed assets are immutable in caches, and compressed as the browser accepts", async () => {
  const path = "/assets/index-abc.js";
  const decode: Record<string, (body: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const coding of ["br", "gzip"]) {
    const { headers, body } = await fetchRaw(path, { "accept-encoding": coding });
    expect(headers).toMatchObject({
      "content-encoding": coding,
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      vary: expect.stringContaining("Accept-Encoding"),
      "x-content-type-options": "nosniff",
    });
    expect(body.length).toBeLessThan(SCRIPT.length / 10);
    expect(decode[coding]?.(body).toString()).toBe(SCRIPT);
  }
  const plain = await fetchRaw(path);
  expect([plain.headers["content-encoding"], plain.body.toString()]).toEqual([undefined, SCRIPT]);
  expect((await fetchRaw("/icon.svg")).headers["cache-control"]).toBe("no-cache");
});

test("an asset of another build and an unknown API path do not return the app", async () => {
  const browser = openBrowser(dashboard);
  for (const path of ["/assets/index-old.js", "/api", "/api/nothing", "/api/auth/callback/github"]) {
    const answer = await browser.get(path);
    expect([answer.status, answer.body.code], path).toEqual([404, "not_found"]);
  }
});

test("a policy violation is logged as one bounded line, without secrets from the URL", async () => {
  const report = (told: object) =>
    fetch(`${dashboard.url}/api/csp-report`, {
      method: "POST",
      headers: { "content-type": "application/csp-report" },
      body: JSON.stringify({ "csp-report": told }),
    });
  const token = "a".repeat(43);
  const { status } = await report({
    "effective-directive": "script-src",
    "blocked-uri": `https://evil.example/${"x".repeat(5_000)}?secret`,
    "document-uri": `${dashboard.config.APP_URL}/sign-in/link/${token}?a=b`,
    "script-sample": "something",
  });
  expect(status).toBe(204);
  expect(logged.at(-1)).toMatchObject({
    fields: { directive: "script-src", page: `${dashboard.config.APP_URL}/sign-in/link/…` },
  });
  expect(JSON.stringify(logged.at(-1))).not.toMatch(/secret|something/);
  expect(JSON.stringify(logged.at(-1)).length).toBeLessThan(600);
  for (let n = 0; n < 200; n++) await report({ "effective-directive": "img-src" });
  expect(logged.length).toBeLessThan(130);
});

test("without a build it says so", async () => {
  const bare = await startDashboard(world);
  const page = await openBrowser(bare).get("/");
  expect([page.status, page.text]).toEqual([200, expect.stringContaining("not built")]);
  await bare.stop();
});
