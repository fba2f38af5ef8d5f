import { expect, test } from "vitest";
import { z } from "zod";
import { Naira, Name, NewMetadata, PositiveNaira, RequestedNaira } from "../src/fields.ts";
import { checkFields, parseFields } from "../src/fields-check.ts";

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key_${n}`, "x"]));

const messagesOf = (field: z.ZodType, value: unknown) => {
  const checked = checkFields(z.object({ field }), { field: value });
  return checked.success ? [] : checked.errors.map(({ message }) => message);
};

test.each<[string, z.ZodType, unknown, string]>([
  ["nothing", z.string(), undefined, "is required"],
  ["no choice", z.enum(["a", "b"]), undefined, "is required"],
  ["null", z.string(), null, "must be a string"],
  ["a number for text", z.string(), 7, "must be a string"],
  ["text for a number", z.number(), "7", "must be a number such as 2500.73"],
  ["no number", z.number(), Number.NaN, "must be a number such as 2500.73"],
  ["a fraction", z.int(), 1.5, "must be a whole number"],
  ["text for yes or no", z.boolean(), "yes", "must be true or false"],
  ["text for a list", z.array(z.string()), "x", "must be a list"],
  ["a list for an object", z.object({}), [], "must be an object of fields"],
  ["another choice", z.enum(["a", "b"]), "c", "must be one of a, b"],
  ["another literal", z.literal("NGN"), "USD", "must be NGN"],
  ["an empty text", z.string().min(1), "", "must not be empty"],
  ["a short text", z.string().min(8), "x", "must be at least 8 characters"],
  ["a long text", z.string().max(2_000), "x".repeat(2_001), "must be at most 2,000 characters"],
  ["a small number", z.number().min(1), 0, "must be at least 1"],
  ["a number that is not above", z.number().gt(0), 0, "must be greater than 0"],
  ["a large number", z.number().max(50), 51, "must be at most 50"],
  ["a number that is not below", z.number().lt(1_000), 1_000, "must be less than 1,000"],
  ["a number between steps", z.number().multipleOf(5), 7, "must be a multiple of 5"],
  ["a short list", z.array(z.string()).min(2), [], "must have at least 2 items"],
  ["a long list", z.array(z.string()).max(1), ["a", "b"], "must have at most 1 item"],
  ["an address without @", z.email(), "ngozi", "must be an email address"],
  ["no URL", z.url(), "x", "must be a URL such as https://example.com/paid"],
  ["another pattern", z.string().regex(/^a$/), "b", "has a character or a length that is not allowed here"],
  ["an unknown field", z.strictObject({}), { a: 1 }, "has no field a"],
  [
    "a name in a record",
    z.record(z.string().max(1), z.string()),
    { ab: "x" },
    "has a name that is not allowed: it must be at most 1 character",
  ],
  ["no alternative", z.union([z.string(), z.boolean()]), 7, "must be a string, or must be true or false"],
  ["a message of the schema", z.string().max(1, "must be a letter"), "ab", "must be a letter"],
  ["a rule without a message", z.string().refine(() => false), "ab", "has a value that is not allowed"],
])("%s: the message says what would be right", (_what, field, value, message) => {
  expect(messagesOf(field, value)).toEqual([message]);
});

test.each<[string, z.ZodType, unknown, string, string]>([
  ["no amount at all", RequestedNaira, 0, "too_small", "must be greater than 0"],
  ["a negative amount", RequestedNaira, -5, "too_small", "must not be negative"],
  ["half a kobo", RequestedNaira, 10.005, "not_multiple_of", "must be naira with at most two decimals"],
  ["an amount of zero", PositiveNaira, 0, "too_small", "must be greater than 0"],
  ["a negative balance", Naira, -0.01, "too_small", "must not be negative"],
  ["half a kobo", Naira, 10.005, "not_multiple_of", "must be naira with at most two decimals"],
  ["more than there is", Naira, 1e15, "too_big", "must be at most 9999999999999.99"],
  ["an invisible character", Name, "Ada\u200b", "invalid_format", expect.stringContaining("invisible characters")],
  ["a control character", Name, "Ada\u0000", "invalid_format", "must not contain control characters"],
  ["21 keys", NewMetadata, keys(21), "too_big", "must have at most 20 keys"],
  ["a rule without a code", z.string().refine(() => false), "ab", "invalid", "has a value that is not allowed"],
])("%s has a code that names the fault, and a message", (_what, field, value, code, message) => {
  const checked = checkFields(z.object({ field }), { field: value });
  expect(checked).toEqual({ success: false, errors: [{ param: "field", code, message }] });
});

test("a key of metadata that no record can hold is refused like any other that is not allowed, not left out", () => {
  const metadata = JSON.parse('{"branch":"yaba","__proto__":"x"}');
  const message = "has a name that is not allowed: it must not be __proto__";
  expect(checkFields(z.object({ metadata: NewMetadata.optional() }), { metadata })).toEqual({
    success: false,
    errors: [{ param: "metadata.__proto__", code: "invalid_key", message }],
  });
  expect(NewMetadata.parse({ proto: "x", __proto: "y" })).toEqual({ proto: "x", __proto: "y" });
});

test("amounts to the kobo, names and 20 keys are taken", () => {
  expect(RequestedNaira.parse(0.01)).toBe(1n);
  expect(Naira.parse(0)).toBe(0n);
  expect(Name.parse("Ada")).toBe("Ada");
  expect(NewMetadata.parse(keys(20))).toEqual(keys(20));
});

test("every invalid field is named by its path and its stable code, and valid fields are parsed", () => {
  const schema = z.object({ amount: z.number(), list: z.array(z.object({ id: z.string() })) });
  expect(() => parseFields(schema, { amount: "x", list: [{}] })).toThrow(
    expect.objectContaining({
      code: "validation_failed",
      errors: [
        { param: "amount", code: "invalid_type", message: "must be a number such as 2500.73" },
        { param: "list.0.id", code: "invalid_type", message: "is required" },
      ],
    }),
  );
  expect(parseFields(schema, { amount: 1, list: [], more: 2 })).toEqual({ amount: 1, list: [] });
});
