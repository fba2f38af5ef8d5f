import { expect, test } from "vitest";
import { filled, trimmed, typed } from "./business-details.ts";

const given = filled({ registered_name: "  Ada Stores Ltd ", address: "   " });

test("a draft keeps what was typed, and omits empty fields", () => {
  expect(typed(given)).toEqual({ registered_name: "Ada Stores Ltd" });
});

test("a submission has every field, so that the server names each missing one", () => {
  expect(Object.keys(trimmed(given))).toHaveLength(8);
  expect(trimmed(given)).toMatchObject({ registered_name: "Ada Stores Ltd", address: "", rc_number: "" });
});
