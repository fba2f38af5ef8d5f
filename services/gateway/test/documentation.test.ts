import { readFile } from "node:fs/promises";
import { MERCHANT_CODES } from "@collect/contracts";
import { expect, test } from "vitest";
import { z } from "zod";
import { fieldsOf, parametersOf } from "../src/domain/endpoint.ts";
import { ENDPOINTS } from "../src/endpoints.ts";
import { startGateway, useGateway } from "./gateway.ts";
import { speak } from "./socket.ts";

const { world, gateway } = await useGateway();
const { origin } = new URL(gateway.url);

const get = (path: string) => fetch(new URL(path, gateway.url));
const prefixes = ["", "/v1"];

test("the served document is the one that the SDK is generated from; `npm run document` writes it", async () => {
  const written = await readFile(new URL("../../../packages/sdk/openapi.json", import.meta.url), "utf8");
  for (const prefix of prefixes) {
    const served = await get(`${prefix}/openapi.json`);
    expect(served.headers.get("content-type")).toContain("application/json");
    expect(await served.json()).toEqual(JSON.parse(written));
  }
});

const CONSOLE = "/docs/console";

/** Every page that can be reached from the home page, with its text. */
async function visitAll(): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const found = ["/docs", CONSOLE];
  for (let address = found.pop(); address !== undefined; address = found.pop()) {
    if (pages.has(address) || address === "/openapi.json") continue;
    const page = await get(address);
    expect([address, page.status, page.headers.get("content-type")]).toEqual([address, 200, HTML]);
    const html = await page.text();
    pages.set(address, html);
    found.push(...linksOf(html).map((link) => link.replace(/#.*/, "") || "/docs"));
  }
  return pages;
}
const HTML = "text/html; charset=utf-8";
const linksOf = (html: string) => [...html.matchAll(/<a [^>]*href="([/#][^"]*)"/g)].map(([, link = ""]) => link);
const visited = await visitAll();

test("the site has the guides, the reference of every operation, every error, the changelog and the versions, without a key", () => {
  const reference = [...visited].filter(([address]) => address.startsWith("/docs/reference/"));
  const documented = reference.flatMap(([, html]) => [...html.matchAll(/<h2 id="(\w+)">/g)].map(([, id]) => id));
  expect(documented).toEqual(expect.arrayContaining(ENDPOINTS.map(({ name }) => name)));
  for (const code of MERCHANT_CODES) expect(visited.has(`/docs/errors/${code}`), code).toBe(true);
  for (const page of ["/guides/first-collection", "/guides/checkout", "/guides/webhooks", "/changelog", "/versions"])
    expect(visited.has(`/docs${page}`), page).toBe(true);
});

test("every link leads to a page, and to a heading of it", () => {
  for (const [address, html] of visited) {
    for (const link of linksOf(html)) {
      const [page, heading] = link.split("#");
      if (heading) expect(visited.get(page || address), `${address} links ${link}`).toContain(`id="${heading}"`);
    }
  }
});

test("a page can be read without JavaScript, and loads only files from this host", async () => {
  for (const [address, html] of visited) {
    const loaded = [...html.matchAll(/<(?:link|script)[^>]*(?:href|src)="([^"]+)"/g)].map(([, file = ""]) => file);
    expect(loaded.length, address).toBeGreaterThan(2);
    for (const file of loaded.filter((file) => file !== "data:,")) {
      expect(file).toMatch(/^\/docs\/[\w.-]+$/);
      const { status, headers } = await get(file);
      expect([file, status, headers.get("content-type")]).toEqual([
        file,
        200,
        expect.stringMatching(/^text\/(css|javascript)/),
      ]);
    }
    expect(html).not.toMatch(/ style="|<style|<script>/);
    if (address !== CONSOLE) expect(html).toMatch(/<main id="content">\s*<h1 /);
  }
});

test("an unchanged page is not sent again", async () => {
  const page = await get("/docs/versions");
  const etag = page.headers.get("etag") ?? "";
  expect(page.headers.get("cache-control")).toBe("no-cache");
  // Its own Cache-Control, because fetch() would ask caches for a fresh copy.
  const headers = { "if-none-match": etag, "cache-control": "max-age=0" };
  const again = await fetch(new URL("/docs/versions", gateway.url), { headers });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

test("addresses with the version lead to the page, on this host", async () => {
  const { status, headers } = await fetch(`${origin}/v1/docs//thief.example/?page=2`, { redirect: "manual" });
  expect([status, headers.get("location")]).toEqual([308, "/docs//thief.example/?page=2"]);
  expect((await get("/v1/docs")).url).toBe(`${origin}/docs`);
  expect((await get("/v1/docs/errors/not_found")).url).toBe(`${origin}/docs/errors/not_found`);
});

test("nothing but the site's own files can be read below it", async () => {
  for (const path of [
    "/docs/index.html",
    "/docs/package.json",
    "/docs/..%2f..%2fapp.ts",
    "/docs/guides",
    "/docs/guides/none",
  ])
    expect([path, (await get(path)).status]).toEqual([path, 404]);
});

const serversOf = async (url: string, headers: Record<string, string> = {}) =>
  Served.parse(await (await fetch(url, { headers })).json()).servers.map(({ url }) => url);
const Served = z.object({ servers: z.array(z.object({ url: z.string(), description: z.string() })) });

test("the document names the configured URL first, and never the host that a caller claims", async () => {
  const api = "https://api.example.com/v1";
  const configured = await startGateway(world, { API_URL: api, TRUSTED_PROXIES: "1" });
  const { origin } = new URL(configured.url);
  const forged = { "x-forwarded-host": "thief.example", "x-forwarded-proto": "https", forwarded: "host=thief.example" };
  for (const headers of [{}, forged]) {
    expect(await serversOf(`${origin}/openapi.json`, headers)).toEqual([api, "http://localhost:4000/v1"]);
    expect(await serversOf(`${origin}/docs/openapi.json`, headers)).toContain("/v1");
  }
  const request = "GET /openapi.json HTTP/1.1\r\nhost: thief.example\r\nconnection: close\r\n\r\n";
  const answer = await speak(configured, request);
  expect([answer.status, answer.text.includes(api), answer.text.includes("thief")]).toEqual([200, true, false]);
  await configured.stop();
});

test("the console calls the host that it was loaded from, by whatever name", async () => {
  expect((await serversOf(`${origin}/docs/openapi.json`))[0]).toBe("/v1");
  expect(await (await get("/docs/console.js")).text()).toContain('"url":"/docs/openapi.json"');
});

test("the pages' policy allows scripts of this host only, and applies to them only", async () => {
  const policy = (await get("/docs")).headers.get("content-security-policy");
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  for (const page of ["/docs/console", "/docs/errors/not_found", "/docs/guides/webhooks"])
    expect((await get(page)).headers.get("content-security-policy")).toBe(policy);
  expect((await get("/v1")).headers.get("content-security-policy")).not.toBe(policy);
});

test("/docs/errors links a page for every code, which says its cause and what to do", () => {
  const list = visited.get("/docs/errors") ?? "";
  for (const code of MERCHANT_CODES) {
    expect(list).toContain(`<a href="/docs/errors/${code}"><code>${code}</code></a>`);
    const html = visited.get(`/docs/errors/${code}`) ?? "";
    expect(html).toMatch(new RegExp(`<h1 id="${code}"><code>${code}</code></h1>`));
    expect(html).toMatch(/>Cause<\/h2>\n<p>\S.{20,}>What to do<\/h2>\n<p>\S.{15,}/s);
    expect(html).not.toMatch(/`|undefined/);
  }
});

test("there is no page about an error that merchants do not get, or that does not exist", async () => {
  for (const code of ["role_required", "nonsense", "__proto__", "constructor", "%3Cscript%3E"]) {
    const answer = await get(`/docs/errors/${code}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      404,
      "application/problem+json; charset=utf-8",
    ]);
  }
});

test("the type of an error is its page: here, or in the documentation that is configured", async () => {
  const typeOf = async (url: string, path = "/balance") => Object(await (await fetch(`${url}${path}`)).json()).type;
  const type = await typeOf(gateway.url);
  expect(type).toBe("/docs/errors/invalid_api_key");
  expect((await get(type)).status).toBe(200);
  expect(await typeOf(gateway.url, "/nothing")).toBe("/docs/errors/not_found");
  const documented = await startGateway(world, { DOCS_URL: "https://docs.example.com/" });
  expect(await typeOf(documented.url)).toBe("https://docs.example.com/errors/invalid_api_key");
  await documented.stop();
  expect((await speak(gateway, "nonsense\r\n\r\n")).body).toMatchObject({ type: "/docs/errors/malformed_body" });
});

test.each(ENDPOINTS)("$name takes exactly the fields of its request that the gateway does not supply", (row) => {
  const { input } = row.request;
  // The gateway says who the client is.
  const said = ["merchant", "client", ...parametersOf(row.path)];
  const fields = Object.fromEntries(Object.entries(input.shape).filter(([name]) => !said.includes(name)));
  const how = `\`fields\` of ${row.name} in src/endpoints/ is the schema in packages/contracts/src/merchant-api that its request extends`;
  expect(Object.keys(fieldsOf(row).shape), how).toEqual(Object.keys(fields));
  for (const [name, schema] of Object.entries(fieldsOf(row).shape))
    expect(schema, `${name}: ${how}`).toBe(fields[name]);
});

test("errors that only the dashboard, the operator and the bank get are not in the document", async () => {
  const document = await (await fetch(`${gateway.url}/openapi.json`)).text();
  expect(document).toContain('"rate_limited"');
  for (const code of [
    "sign_in_required",
    "role_required",
    "reauthentication_required",
    "conflict",
    "invalid_signature",
  ])
    expect(document).not.toContain(`"${code}"`);
});
