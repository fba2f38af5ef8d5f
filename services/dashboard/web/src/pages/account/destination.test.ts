import { expect, test } from "vitest";
import { pathWithin, withDestination } from "./destination.ts";

const ORIGIN = "https://app.collect.example";

test("after signing in a user returns to the requested page with its filters", () => {
  expect(pathWithin("/m/mer_1/live/collections?search=a#top", ORIGIN)).toBe("/m/mer_1/live/collections?search=a#top");
});

test.each([
  "https://evil.example/",
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "javascript:alert(1)",
  "collections",
  "https://app.collect.example.evil.example/",
  "",
  null,
])("a link to the sign-in page cannot redirect to %j", (to) => {
  expect(pathWithin(to, ORIGIN)).toBeNull();
});

test("the return path is kept whole, and omitted when it is home", () => {
  expect(withDestination("/sign-in", "/m/mer_1/test?a=b&c=d")).toBe("/sign-in?to=%2Fm%2Fmer_1%2Ftest%3Fa%3Db%26c%3Dd");
  expect(withDestination("/sign-up", "/")).toBe("/sign-up");
});
