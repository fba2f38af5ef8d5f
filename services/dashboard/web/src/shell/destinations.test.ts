import { expect, test } from "vitest";
import { destinationsOf } from "./destinations.ts";

const pathsOf = (typed: string) => destinationsOf(typed).map(({ path }) => path);

test.each([
  ["trf_1", ["transfers/trf_1"]],
  ["col_1", ["collections/col_1"]],
  ["pay_1", ["sessions/pay_1", "collections/pay_1"]],
  ["stl_1", ["settlements/stl_1"]],
  ["req_1", ["developers/requests?search=req_1"]],
])("the reference %s leads to its record alone", (typed, paths) => {
  expect(pathsOf(typed)).toEqual(paths);
});

test("a number may be an event, a delivery or an account number", () => {
  expect(pathsOf("12")).toEqual(["developers/deliveries/12", "developers/events/12"]);
  expect(pathsOf("0123456789")).toContain("collections?search=0123456789");
});

test("a name is searched for wherever a name can be, whatever characters it has", () => {
  expect(pathsOf("a&b=c")).toContain("customers?search=a%26b%3Dc");
});

test("two letters do not search yet", () => {
  expect(pathsOf("ad")).toEqual([]);
});
