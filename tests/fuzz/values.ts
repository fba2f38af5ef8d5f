import fc from "fast-check";

/** A schema of the document, as far as values are made from it. */
export type Schema = {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  examples?: unknown[];
};

/** Values that the schema accepts. */
export function accepted(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(accepted));
  return fc.oneof(...[schema.type ?? []].flat().map((type) => OF_TYPE[type]?.(schema) ?? fc.constant(null)));
}

const OF_TYPE: Record<string, (schema: Schema) => fc.Arbitrary<unknown>> = {
  null: () => fc.constant(null),
  integer: ({ minimum = 0, maximum = 1_000 }) =>
    fc.oneof(fc.integer({ min: minimum, max: Math.min(maximum, 200) }), fc.constantFrom(minimum, maximum)),
  // Every number of the API is naira.
  number: () => fc.integer({ min: 1, max: 500_000 }).map((kobo) => kobo / 100),
  string: acceptedText,
};

function acceptedText({
  format,
  pattern,
  minLength = 0,
  maxLength = 100,
  examples = [],
}: Schema): fc.Arbitrary<string> {
  if (format === "date-time") return INSTANTS;
  if (format === "email") return fc.emailAddress();
  const candidates: fc.Arbitrary<string>[] = [
    fc.string({ minLength, maxLength: Math.min(maxLength, 20) }),
    fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, 20) }),
    fc.constantFrom("Ada Obi", "order-1001", "https://shop.example/thanks", ...examples.map(String)),
    ...simplePattern(pattern),
  ];
  const fits = pattern ? new RegExp(pattern, "u") : /(?:)/;
  return fc.oneof(...candidates).filter((text) => text.length <= maxLength && fits.test(text));
}

const INSTANTS = fc
  .date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .chain((date) => fc.constantFrom(date.toISOString(), date.toISOString().replace("Z", "+01:00")));

/** fast-check does not know every construct of a pattern; then the other candidates are tried against it. */
function simplePattern(pattern: string | undefined): fc.Arbitrary<string>[] {
  try {
    return pattern ? [fc.stringMatching(new RegExp(pattern))] : [];
  } catch {
    return [];
  }
}

/** Values that hardly any schema accepts, and some that break those who only read them. */
export const HOSTILE: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 0.001, 1.005, 1e308, -1e308, 2 ** 53, "", " ", "10", "NaN", ".", ".."),
  fc.constantFrom<unknown>([], {}, [1], ["x"], { toString: 1 }, { $ne: null }, "constructor", "__proto__", "null"),
  fc.constantFrom("a\u0000b", "\ud800", "\u202Eabc", "\u200b", "a\nb", "%00", "%zz", "../../balance", "' or 1=1 --"),
  fc.constantFrom("x".repeat(101), "x".repeat(3_000), "é".repeat(500), "٣", "1e3", "0x10", "+1", "1,000"),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Bodies that are no object of fields. */
export const BROKEN_BODIES: { text: string; type: string }[] = [
  ...['{"amount":', "amount=1", "[]", "null", "true", '"x"', "{}{}", '{"amount":NaN}', "[".repeat(5_000)].map(
    (text) => ({
      text,
      type: "application/json",
    }),
  ),
  { text: `{"pad":"${"x".repeat(40_000)}"}`, type: "application/json" },
  { text: "x=1&".repeat(200), type: "application/x-www-form-urlencoded" },
  { text: "amount[a]=1&amount=%ff%00", type: "application/x-www-form-urlencoded" },
  { text: "<a/>", type: "application/xml" },
  { text: "{}", type: "application/json; charset=klingon" },
  { text: "--x--", type: "multipart/form-data; boundary=x" },
];
