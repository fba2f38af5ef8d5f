import { VECTORS } from "@collect/webhook-verification";
import { expect, test } from "vitest";
import { vectors } from "./vectors.ts";

test("the published vectors are deliveries as they are signed today; `npm run document` writes them", () => {
  expect(VECTORS).toEqual(vectors());
});

test("each is published once, and every reason has a vector", () => {
  const names = VECTORS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(VECTORS.map(({ expected }) => expected)).size).toBe(9);
});
