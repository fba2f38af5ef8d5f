import { describe, expect, test } from "vitest";
import { z } from "zod";
import { REQUESTS, type RequestContract } from "../src/index.ts";
import { findingsOfRequests, recordOf } from "../src/last-release.ts";
import { readLastRelease } from "../src/recorded.ts";

test("every request of the last release works beside those of this one", async () => {
  const recorded = await readLastRelease();
  expect(Object.keys(recorded).length).toBeGreaterThan(100);
  expect(findingsOfRequests(recorded, REQUESTS).refused).toEqual([]);
});

const input = z.object({
  merchant_id: z.string().min(1).max(80),
  status: z.enum(["open", "paid"]).optional(),
  name: z
    .string()
    .regex(/^[a-z]+$/)
    .optional(),
  rows: z
    .array(z.object({ amount: z.int() }))
    .max(500)
    .optional(),
});
const output = z.object({
  reference: z.string(),
  status: z.enum(["open", "paid"]),
  note: z.string().optional(),
  holder: z.object({ name: z.string() }).nullable(),
  row: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("in"), amount: z.int() }),
    z.object({ kind: z.literal("out"), amount: z.int() }),
  ]),
});
const last: RequestContract = {
  ...{ subject: "ledger.example.show", callers: ["gateway", "dashboard"], to: "ledger", meaning: "An example." },
  ...{ deadlineMs: 5_000, input, output },
};
const beside = (next: Partial<RequestContract>) =>
  findingsOfRequests({ [last.subject]: recordOf(last) }, [{ ...last, ...next }]);
const inputOf = (shape: z.ZodRawShape) => ({ input: input.extend(shape) });
const outputOf = (shape: z.ZodRawShape) => ({ output: output.extend(shape) });

describe("refused, because the last release cannot run beside it", () => {
  test.each<[string, Partial<RequestContract>, RegExp]>([
    ["a new required field of a request", inputOf({ mode: z.string() }), /\(input\)\.mode is new and required/],
    [
      "a new required field within a list of a request",
      inputOf({ rows: z.array(z.object({ amount: z.int(), fee: z.int() })).optional() }),
      /rows\[\]\.fee is new and required/,
    ],
    [
      "a field that a request has to have from now on",
      inputOf({ status: z.enum(["open", "paid"]) }),
      /status has become required/,
    ],
    ["a field of a request that is gone", { input: input.omit({ status: true }) }, /status is gone/],
    ["a value that a request cannot have any more", inputOf({ status: z.enum(["open"]).optional() }), /cannot be paid/],
    [
      "a narrower limit of a request",
      inputOf({ merchant_id: z.string().min(1).max(40) }),
      /maxLength was 80 and is 40/,
    ],
    [
      "a new limit of a request",
      inputOf({
        name: z
          .string()
          .regex(/^[a-z]+$/)
          .max(9)
          .optional(),
      }),
      /maxLength was absent/,
    ],
    ["a larger minimum of a request", inputOf({ merchant_id: z.string().min(4).max(80) }), /minLength was 1 and is 4/],
    [
      "another pattern of a request",
      inputOf({
        name: z
          .string()
          .regex(/^[a-y]+$/)
          .optional(),
      }),
      /pattern was/,
    ],
    ["another type in a request", inputOf({ merchant_id: z.int() }), /type was "string" and is "integer"/],
    ["unknown fields refused in a request", { input: z.strictObject(input.shape) }, /additionalProperties/],
    ["a required field of a reply that is gone", { output: output.omit({ reference: true }) }, /reference is gone/],
    ["another type in a reply", outputOf({ reference: z.int() }), /type was "string" and is "integer"/],
    ["a field of a reply that can be null", outputOf({ reference: z.string().nullable() }), /reference can be null/],
    ["a value that a reply cannot have any more", outputOf({ status: z.enum(["open"]) }), /cannot be paid/],
    [
      "a new required field of a reply, which a new caller misses beside an old service",
      outputOf({ total: z.int() }),
      /total is new and required\. Services of the last release do not send it/,
    ],
    [
      "the same within an object that can be null",
      outputOf({ holder: z.object({ name: z.string(), bank: z.string() }).nullable() }),
      /holder\.bank is new and required/,
    ],
    ["a request that has to be sealed", { sealed: "orders" }, /is sealed otherwise/],
  ])("%s", (_what, next, named) => {
    expect(beside(next).refused.join("\n")).toMatch(named);
  });

  test("a request that is gone and was sent, and not one that was sent no more", () => {
    const gone = (callers: RequestContract["callers"]) =>
      findingsOfRequests({ [last.subject]: recordOf({ ...last, callers }) }, []).refused;
    expect(gone(["gateway"])).toEqual([expect.stringContaining("gateway of the last release send it")]);
    expect(gone([])).toEqual([]);
  });
});

describe("reported, because the code can respect it", () => {
  test.each<[string, Partial<RequestContract>, RegExp]>([
    ["a new field of a request", inputOf({ after: z.string().optional() }), /after is new\. Services .* ignore it/],
    [
      "a value that a request can have",
      inputOf({ status: z.enum(["open", "paid", "late"]).optional() }),
      /can be late/,
    ],
    ["a wider limit of a request", inputOf({ merchant_id: z.string().min(1).max(99) }), /maxLength was 80 and is 99/],
    [
      "a field that a request can leave out",
      inputOf({ merchant_id: z.string().min(1).max(80).optional() }),
      /still has to send/,
    ],
    ["a value that a reply can have", outputOf({ status: z.enum(["open", "paid", "late"]) }), /can be late/],
    [
      "an alternative that a reply can be",
      outputOf({
        row: z.discriminatedUnion("kind", [...output.shape.row.options, z.object({ kind: z.literal("fee") })]),
      }),
      /can be object with kind fee/,
    ],
    ["a field that a reply can leave out", outputOf({ reference: z.string().optional() }), /still has to send/],
    ["a field that a reply always has from now on", outputOf({ note: z.string() }), /always sends it/],
    ["a caller less", { callers: ["gateway"] }, /does not name dashboard/],
  ])("%s", (_what, next, named) => {
    expect(beside(next)).toEqual({ refused: [], reported: [expect.stringMatching(named)] });
  });
});

test.each<[string, Partial<RequestContract>]>([
  ["an optional field of a reply is added", outputOf({ total: z.int().optional() })],
  ["an optional field of a reply is gone", { output: output.omit({ note: true }) }],
  [
    "a reply is described, limited or named otherwise",
    outputOf({ reference: z.string().max(80).meta({ id: "Reference" }) }),
  ],
  ["a caller is added", { callers: [...last.callers, "checkout"] }],
])("nothing is said when %s", (_what, next) => {
  expect(beside(next)).toEqual({ refused: [], reported: [] });
});
