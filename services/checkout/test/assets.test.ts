import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { aSession, call, publishSessions } from "./checkout.ts";
import { useCheckout } from "./world.ts";

const { world, checkout } = await useCheckout();

/** The raw response, which fetch would decode. */
function fetchRaw(path: string, encoding: string, headers: Record<string, string> = {}) {
  type Raw = { status: number | undefined; encoding: string | undefined; body: Buffer };
  return new Promise<Raw>((resolve, reject) => {
    const outgoing = request(
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
    outgoing.on("error", reject);
    outgoing.end();
  });
}

async function pageAssets(): Promise<string[]> {
  const session = aSession();
  await publishSessions(world, session);
  const { text } = await call(checkout, "GET", `/pay/${session.reference}`);
  return [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
}

test("a page with all its assets is smaller than 60 kB", async () => {
  const session = aSession();
  await publishSessions(world, session);
  const page = (await fetchRaw(`/pay/${session.reference}`, "br")).body.length;
  const assets = await Promise.all((await pageAssets()).map(async (path) => (await fetchRaw(path, "br")).body.length));
  expect(assets).toHaveLength(4);
  expect(assets.reduce((sum, bytes) => sum + bytes, page)).toBeLessThan(60_000);
  expect(page).toBeLessThan(14_000);
});

test("assets are cached by version, and another version is answered but not cached", async () => {
  for (const path of await pageAssets()) {
    const own = await call(checkout, "GET", path);
    expect([own.status, own.headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
    const another = await call(checkout, "GET", path.replace(/v=.*/, "v=another"));
    expect([another.text, another.headers.get("cache-control")]).toEqual([own.text, "no-cache"]);
    expect((await call(checkout, "POST", path)).status).toBe(405);
  }
});

test("assets are compressed as the browser accepts, with identical content", async () => {
  for (const path of [...(await pageAssets()), "/checkout.js"]) {
    const [br, gzip, plain] = await Promise.all(
      ["gzip, br", "gzip", "identity"].map((encoding) => fetchRaw(path, encoding)),
    );
    expect([br?.encoding, gzip?.encoding, plain?.encoding]).toEqual(["br", "gzip", undefined]);
    expect(brotliDecompressSync(br?.body ?? "")).toEqual(plain?.body);
    expect(gunzipSync(gzip?.body ?? "")).toEqual(plain?.body);
  }
});

test("checkout.js may be loaded by any page, and is revalidated each time", async () => {
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
