import { Problem } from "@collect/contracts";
import { expect, test } from "vitest";
import { logoOf } from "./logo.ts";

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))));
const padded = (image: Buffer, length = 64) => Buffer.concat([image, Buffer.alloc(Math.max(0, length - image.length))]);
const be32 = (n: number) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255];
const be16 = (n: number) => [n >> 8, n & 255];
const le16 = (n: number) => [n & 255, n >> 8];
const le24 = (n: number) => [n & 255, (n >> 8) & 255, n >> 16];

const png = (width: number, height: number, rest = "IDAT") =>
  padded(bytes("\x89PNG\r\n\x1a\n", be32(13), "IHDR", be32(width), be32(height), [8, 6, 0, 0, 0], be32(0), rest));
const jpeg = (width: number, height: number, frame = 0xc0) =>
  padded(
    bytes(
      [0xff, 0xd8, 0xff, 0xe0],
      be16(4),
      "JF",
      [0xff, 0xff, 0xc4],
      be16(2),
      [0xff, frame],
      be16(11),
      [8],
      [...be16(height), ...be16(width)],
    ),
  );
const webp = (chunk: string, body: number[]) => padded(bytes("RIFF", be32(0), "WEBP", chunk, be32(0), body));
const extended = (width: number, height: number, flags = 0) =>
  webp("VP8X", [flags, 0, 0, 0, ...le24(width - 1), ...le24(height - 1)]);
const lossy = (width: number, height: number) =>
  webp("VP8 ", [0, 0, 0, 0x9d, 0x01, 0x2a, ...le16(width), ...le16(height)]);
const lossless = (width: number, height: number) => {
  const sizes = (width - 1) | ((height - 1) << 14);
  return webp("VP8L", [0x2f, sizes & 255, (sizes >>> 8) & 255, (sizes >>> 16) & 255, sizes >>> 24]);
};

const refusal = (image: Buffer) => {
  try {
    return logoOf(image).type;
  } catch (error) {
    return error instanceof Problem ? error.errors?.[0]?.message : String(error);
  }
};

test.each([
  ["image/png", png],
  ["image/jpeg", jpeg],
  ["image/webp", extended],
  ["image/webp", lossy],
  ["image/webp", lossless],
])("%s is recognized by its bytes, from 32 to 1,024 pixels a side", (type, make) => {
  for (const [width, height] of [
    [32, 32],
    [1_024, 1_024],
    [1_024, 32],
  ] as const)
    expect(logoOf(make(width, height))).toEqual({ type, bytes: make(width, height) });
  for (const [width, height] of [
    [31, 64],
    [64, 31],
    [1_025, 64],
    [64, 1_025],
  ] as const)
    expect(refusal(make(width, height))).toBe("must be 32 to 1024 pixels wide and high");
});

test("a progressive JPEG is a JPEG, and a table of it is no frame", () => {
  expect(refusal(jpeg(64, 64, 0xc2))).toBe("image/jpeg");
  for (const table of [0xc4, 0xc8, 0xcc]) expect(refusal(jpeg(64, 64, table))).toMatch(/^must be a PNG/);
});

test("anything else is refused: SVG, HTML, GIF, and beginnings of images", () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><script>alert(1)</script></svg>';
  const others = [svg, "<!doctype html><script>alert(1)</script>", "GIF89a", "BM", "", "\x89PNG", "RIFF", "\xff\xd8"];
  for (const other of others) expect(refusal(bytes(other)), other).toBe("must be a PNG, JPEG or WebP image");
  const cut = [png(64, 64), jpeg(64, 64), extended(64, 64), lossy(64, 64), lossless(64, 64)];
  for (const image of cut)
    for (let length = 0; length < 20; length++)
      expect(refusal(image.subarray(0, length))).toBe("must be a PNG, JPEG or WebP image");
  expect(refusal(webp("VP8 ", [0, 0, 0, 1, 2, 3, 64, 0, 64, 0]))).toMatch(/^must be a PNG/);
  expect(refusal(webp("ALPH", []))).toMatch(/^must be a PNG/);
  // The length of a segment leads beyond the file, or nowhere.
  expect(refusal(padded(bytes([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff])))).toMatch(/^must be a PNG/);
  expect(refusal(padded(bytes([0xff, 0xd8, 0xff, 0xe0, 0, 0])))).toMatch(/^must be a PNG/);
});

test("an animation is refused, because it draws the payer's eye from the amount", () => {
  expect(refusal(png(64, 64, "acTL"))).toBe("must be a still image");
  expect(refusal(extended(64, 64, 0x02))).toBe("must be a still image");
  expect(refusal(extended(64, 64, 0x10))).toBe("image/webp");
});

test("a logo has at most 64 kB", () => {
  expect(refusal(padded(png(64, 64), 65_536))).toBe("image/png");
  expect(refusal(padded(png(64, 64), 65_537))).toBe("must be at most 64 kB");
});
