import { expect, test } from "vitest";
import { z } from "zod";
import { decodeCursor, Span } from "../src/browse.ts";
import { ReferenceQuery, UtcInstant } from "../src/fields.ts";

const cursor = (...keys: unknown[]) => Buffer.from(JSON.stringify(keys)).toString("base64url");

test.each([
  ["2026-01-01T00:00:00+20:00", "2025-12-31T04:00:00.000000+00:00"],
  ["2026-01-01T00:00:00-23:59", "2026-01-01T23:59:00.000000+00:00"],
  ["2026-01-01T00:00:00.1234567Z", "2026-01-01T00:00:00.123456+00:00"],
  [`2026-01-01T00:00:00.${"9".repeat(150)}Z`, "2026-01-01T00:00:00.999999+00:00"],
  ["1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500000+00:00"],
  ["0000-01-01T00:00:00Z", "0001-01-01T00:00:00.000000+00:00"],
  ["0001-01-01T00:00:00+23:59", "0001-01-01T00:00:00.000000+00:00"],
  ["9999-12-31T23:00:00-05:00", "9999-12-31T23:59:59.000000+00:00"],
])("a query time of %s is read as %s, within the range of PostgreSQL and of Date", (given, read) => {
  expect(Span.parse({ from: given, before: given })).toEqual({ from: read, before: read });
  expect(decodeCursor(cursor(given), [UtcInstant])).toEqual([read]);
  expect(Number.isNaN(Date.parse(read))).toBe(false);
});

test("a value that is not a time is refused", () => {
  for (const given of ["2026-02-29T00:00:00Z", "2026-01-01", "yesterday", "-infinity", "2026-01-01T00:00:00"])
    expect([given, Span.safeParse({ from: given }).success]).toEqual([given, false]);
});

test("a cursor is parsed with the schemas of its sort keys, and anything else is refused", () => {
  const keys = [UtcInstant, z.string().regex(/^\d+$/)];
  const at = "2026-01-01T00:00:00.000000+00:00";
  expect(decodeCursor(undefined, keys)).toBeUndefined();
  expect(decodeCursor(cursor(at, "7"), keys)).toEqual([at, "7"]);
  const madeUp = [
    "x",
    cursor(),
    cursor(at),
    cursor(at, "x"),
    cursor(at, 7),
    cursor(at, "7", "7"),
    cursor("now()", "7"),
  ];
  for (const after of madeUp)
    expect(() => decodeCursor(after, keys), after).toThrow(expect.objectContaining({ code: "validation_failed" }));
});

test("a reference with characters that no database accepts is looked up as one that does not exist", () => {
  expect(ReferenceQuery.parse("stl_1")).toBe("stl_1");
  for (const malformed of ["stl_1\u0000", "stl_1\n", "stl_1\ud800"])
    expect(ReferenceQuery.parse(malformed)).toBe("stl_1\u0001");
  expect(ReferenceQuery.safeParse("x".repeat(121)).success).toBe(false);
});
