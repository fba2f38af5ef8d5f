import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { call, startCheckout } from "./checkout.ts";
import { useCheckout } from "./world.ts";

const { world, checkout, fakes } = await useCheckout();

/** A logo that payments has, with its path. */
function aLogo(type: "image/png" | "image/jpeg" | "image/webp", content: string) {
  const bytes = Buffer.from(content);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  fakes.logos.set(sha256, { type, data: bytes.toString("base64") });
  return { sha256, path: `/logos/${sha256}` };
}
const lookupsOf = (hash: string) =>
  fakes.requests.filter(({ subject, input }) => subject === "logo" && input.sha256 === hash).length;

test.each(["image/png", "image/jpeg", "image/webp"] as const)(
  "a logo is served as %s and cached for good",
  async (type) => {
    const { path } = aLogo(type, `bytes of ${type}`);
    const { status, headers, text } = await call(checkout, "GET", path);
    expect([status, text, headers.get("content-type")]).toEqual([200, `bytes of ${type}`, type]);
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  },
);

test("markup that got into a logo is neither guessed to be a page nor run as one", async () => {
  const { path } = aLogo("image/png", "<!doctype html><script>alert(1)</script>");
  const { headers } = await call(checkout, "GET", path);
  expect(headers.get("content-type")).toBe("image/png");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
});

test("an unknown hash and anything else are not found, are not cached, and only a hash reaches payments", async () => {
  const { sha256 } = aLogo("image/png", "known");
  const before = fakes.requests.length;
  for (const path of ["mer_1", "..%2fpay", sha256.toUpperCase(), sha256.slice(1), `${sha256}.png`, "%00"]) {
    const { status, headers } = await call(checkout, "GET", `/logos/${path}`);
    expect([path, status, headers.get("cache-control")]).toEqual([path, 404, "no-store"]);
  }
  expect(fakes.requests.length).toBe(before);
  const unknown = "0".repeat(64);
  for (const _time of [1, 2]) expect((await call(checkout, "GET", `/logos/${unknown}`)).status).toBe(404);
  expect(lookupsOf(unknown)).toBe(1);
  expect((await call(checkout, "POST", `/logos/${sha256}`)).status).toBe(405);
});

test("many payers at once are one request, and a logo is still served while payments is down", async () => {
  const { sha256, path } = aLogo("image/webp", "asked for by many");
  const replica = await startCheckout(world);
  const all = await Promise.all(Array.from({ length: 20 }, () => call(replica, "GET", path)));
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
  expect(lookupsOf(sha256)).toBe(1);
  const { path: cold } = aLogo("image/webp", "not asked for yet");
  await fakes.stop();
  expect((await call(replica, "GET", path)).status).toBe(200);
  const unavailable = await call(replica, "GET", cold);
  expect([unavailable.status, unavailable.headers.get("cache-control")]).toEqual([503, "no-store"]);
  await fakes.restart();
  expect((await call(replica, "GET", cold)).status).toBe(200);
  await replica.stop();
});
