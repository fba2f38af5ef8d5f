import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { World } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aSession, type Checkout, call, openCheckoutWorld, startCheckout, tell } from "./checkout.ts";

let world: World;
let checkout: Checkout;

beforeAll(async () => {
  world = await openCheckoutWorld();
  checkout = await startCheckout(world);
});
afterAll(async () => {
  await checkout.stop();
  await world.close();
});

/** As it comes over the line, which fetch would not show. */
function fetchRaw(path: string, encoding: string, headers: Record<string, string> = {}) {
  type Raw = { status: number | undefined; encoding: string | undefined; body: Buffer };
  return new Promise<Raw>((resolve, reject) => {
    const asking = request(
      `${checkout.url}${path}`,
      { headers: { "accept-encoding": encoding, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () =>
          resolve({
            status: response.statusCode,
            encoding: response.headers["content-encoding"],
            body: Buffer.concat(chunks),
          }),
        );
      },
    );
    asking.on("error", reject);
    asking.end();
  });
}

async function assetsOfThePage(): Promise<string[]> {
  const session = aSession();
  await tell(world, session);
  const { text } = await call(checkout, "GET", `/pay/${session.reference}`);
  return [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
}

test("a page with all that it loads weighs less than 60 kB", async () => {
  const session = aSession();
  await tell(world, session);
  const page = (await fetchRaw(`/pay/${session.reference}`, "br")).body.length;
  const assets = await Promise.all(
    (await assetsOfThePage()).map(async (path) => (await fetchRaw(path, "br")).body.length),
  );
  expect(assets).toHaveLength(3);
  expect(assets.reduce((sum, bytes) => sum + bytes, page)).toBeLessThan(60_000);
  expect(page).toBeLessThan(14_000);
});

test("every asset is kept for as long as it is the same, and another release's is answered but not kept", async () => {
  for (const path of await assetsOfThePage()) {
    const own = await call(checkout, "GET", path);
    expect([own.status, own.headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
    const another = await call(checkout, "GET", path.replace(/v=.*/, "v=another"));
    expect([another.text, another.headers.get("cache-control")]).toEqual([own.text, "no-cache"]);
    expect((await call(checkout, "POST", path)).status).toBe(405);
  }
});

test("assets come compressed as the browser takes them, and are the same whichever way", async () => {
  for (const path of [...(await assetsOfThePage()), "/checkout.js"]) {
    const [br, gzip, plain] = await Promise.all(
      ["gzip, br", "gzip", "identity"].map((encoding) => fetchRaw(path, encoding)),
    );
    expect([br?.encoding, gzip?.encoding, plain?.encoding]).toEqual(["br", "gzip", undefined]);
    expect(brotliDecompressSync(br?.body ?? "")).toEqual(plain?.body);
    expect(gunzipSync(gzip?.body ?? "")).toEqual(plain?.body);
  }
});

test("checkout.js may be loaded by any merchant's page, and is asked for again each time", async () => {
  const first = await call(checkout, "GET", "/checkout.js");
  expect(first.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(first.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  expect(first.headers.get("access-control-allow-origin")).toBe("*");
  expect(first.headers.get("cache-control")).toBe("public, no-cache");
  const etag = first.headers.get("etag") ?? "";
  const again = await fetchRaw("/checkout.js", "br", { "if-none-match": etag });
  expect([again.status, again.body.length]).toEqual([304, 0]);
  expect(first.text).not.toMatch(/\biframe\b|\beval\b|innerHTML/);
});
