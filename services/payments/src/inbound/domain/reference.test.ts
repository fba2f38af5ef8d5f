import { expect, test } from "vitest";
import { collectionReference } from "./reference.ts";

test("a collection always has the same reference, and two collections have different ones", () => {
  expect(collectionReference("int_RLZvhjmfLsJ5NYAYJyQtqC")).toBe("col_RLZvhjmfLsJ5NYAYJyQtqC");
  expect(collectionReference("int_a")).not.toBe(collectionReference("int_b"));
});
