import { expect, test } from "vitest";
import { collectionReference } from "./reference.ts";

test("a collection keeps its reference for ever, and two collections have two", () => {
  expect(collectionReference("int_RLZvhjmfLsJ5NYAYJyQtqC")).toBe("col_RLZvhjmfLsJ5NYAYJyQtqC");
  expect(collectionReference("int_a")).not.toBe(collectionReference("int_b"));
});
