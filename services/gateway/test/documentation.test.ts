import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { fieldsOf, parametersOf } from "../src/domain/endpoint.ts";
import { ENDPOINTS } from "../src/endpoints.ts";
import { MERCHANT_CODES } from "../src/openapi/problems.ts";
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

test.each(prefixes)("the page at %s/docs needs no key, and loads only files from this host", async (prefix) => {
  const page = await get(`${prefix}/docs`);
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  const html = await page.text();
  const asked = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
  const [icon, ...addresses] = asked;
  expect(icon).toBe("data:,");
  expect(addresses.every((address) => address.startsWith(`${prefix}/`))).toBe(true);
  for (const address of addresses) {
    const answer = await get(address);
    expect([address, answer.status]).toEqual([address, 200]);
    expect(answer.headers.get("content-type")).toMatch(/^(text\/css|text\/javascript|application\/json)/);
  }
  expect(await (await get(`${prefix}/docs/start.js`)).text()).toContain(`"url":"${prefix}/docs/openapi.json"`);
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

test("the page calls the host that it was loaded from, by whatever name", async () => {
  for (const prefix of prefixes) expect((await serversOf(`${origin}${prefix}/docs/openapi.json`))[0]).toBe("/v1");
});

test("the page's policy allows it to run but to load nothing from other hosts, and applies to that page only", async () => {
  const policy = (await get("/docs")).headers.get("content-security-policy");
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect((await get("/v1")).headers.get("content-security-policy")).not.toBe(policy);
});

test.each(prefixes)(
  "%s/docs/errors links a page for every code, which says its cause and what to do",
  async (prefix) => {
    const home = await get(`${prefix}/docs/errors`);
    expect(home.headers.get("content-security-policy")).not.toMatch(/script|unsafe|https?:|\*/);
    const links = [...(await home.text()).matchAll(/href="([^"]+\/errors\/[^"]+)"/g)].map(
      ([, address = ""]) => address,
    );
    expect(links).toEqual(MERCHANT_CODES.map((code) => `${prefix}/docs/errors/${code}`));
    for (const address of links) {
      const page = await get(address);
      expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      const html = await page.text();
      expect(html).toContain(`<h1><code>${address.split("/").at(-1)}</code></h1>`);
      expect(html).toMatch(/<h2>Cause<\/h2>\n<p>\S.{20,}<h2>What to do<\/h2>\n<p>\S.{15,}/s);
      expect(html).not.toMatch(/<script|`|undefined/);
    }
    expect((await get(`${prefix}/docs/errors.css`)).headers.get("content-type")).toContain("text/css");
  },
);

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
