import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { fieldsOf, parametersOf } from "../src/domain/endpoint.ts";
import { ENDPOINTS } from "../src/endpoints.ts";
import { useGateway } from "./gateway.ts";

const { gateway } = await useGateway();

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
  expect(await (await get(`${prefix}/docs/start.js`)).text()).toContain(`"url":"${prefix}/openapi.json"`);
});

test("the page's policy allows it to run but to load nothing from other hosts, and applies to that page only", async () => {
  const policy = (await get("/docs")).headers.get("content-security-policy");
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect((await get("/v1")).headers.get("content-security-policy")).not.toBe(policy);
});

test.each(ENDPOINTS)("$name takes exactly the fields of its request that its path and its key do not supply", (row) => {
  const { input } = row.request;
  const said = ["merchant", ...parametersOf(row.path)];
  const fields = Object.fromEntries(Object.entries(input.shape).filter(([name]) => !said.includes(name)));
  const how = `\`fields\` of ${row.name} in src/endpoints.ts is the schema in packages/contracts/src/merchant-api that its request extends`;
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
