import { expect, test } from "vitest";
import { barAt, barOf, rounded } from "./bar-scale.ts";

test("the top of the axis is the next 1, 2, 5 or 10 times a power of ten, and never below a value", () => {
  expect([0, 0.09, 1, 1.01, 2_500, 99_999, 999_999_999.99].map(rounded)).toEqual([1, 0.1, 1, 2, 5_000, 100_000, 1e9]);
});

test("a bar is in proportion, one of nothing has no height, and a small one can be seen", () => {
  expect([barOf(50, 200), barOf(0, 200), barOf(1, 1e9)]).toEqual([
    { y: 75, height: 25 },
    { y: 100, height: 0 },
    { y: 99.5, height: 0.5 },
  ]);
});

test("arrow keys, Home and End lead to a bar that exists; other keys are not used", () => {
  expect([barAt("ArrowLeft", 0, 6), barAt("ArrowRight", 6, 6), barAt("ArrowUp", 2, 6), barAt("Home", 3, 6)]).toEqual([
    0, 6, 3, 0,
  ]);
  expect([barAt("End", 3, 6), barAt("Tab", 3, 6)]).toEqual([6, undefined]);
});
