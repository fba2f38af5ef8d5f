import { describe, expect, test } from "vitest";
import {
  type HeadersLike,
  verifyWebhook,
  type WebhookVerificationCode,
  WebhookVerificationError,
} from "../src/index.ts";
import { collection, deliveryOf, SECRET, signed } from "./signing.ts";

const { raw, headers } = deliveryOf(collection);
const text = raw.toString();
const signature = headers["x-service-signature"];
const upperCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));

describe("a signed delivery is accepted", () => {
  test("as bytes, as a Buffer, and as a string", () => {
    for (const body of [raw, new Uint8Array(raw), text])
      expect(verifyWebhook(body, headers, SECRET)).toEqual(collection);
  });

  test("with non-ASCII characters, byte for byte", () => {
    const event = { ...collection, data: { ...collection.data, payer_name: "Ṣọlá Adé 🌍" } };
    const delivery = deliveryOf(event);
    expect(verifyWebhook(delivery.raw, delivery.headers, SECRET)).toEqual(event);
  });

  test.each<[string, HeadersLike]>([
    ["an object in any case", { ...upperCase, "x-other": undefined }],
    ["an object with arrays", { ...headers, "x-service-signature": [signature] }],
    ["Headers", new Headers(upperCase)],
    ["a Map", new Map(Object.entries(upperCase))],
    ["pairs", [["Host", "x"], ...Object.entries(upperCase)]],
    ["rawHeaders", ["Host", "x-service-signature", ...Object.entries(upperCase).flat()]],
  ])("with its headers as %s", (_form, given) => {
    expect(verifyWebhook(raw, given, SECRET).data.reference).toBe("col_1");
  });

  test("with one of several secrets, and with the staged one before and after it is activated", () => {
    const staged = "whsec_VUTSRQPONMLKJIHGFEDCBA9876543210";
    const both = `${headers["webhook-signature"]} ${signed(raw, staged)["webhook-signature"]}`;
    const during = { ...headers, "webhook-signature": both };
    const after = deliveryOf(collection, staged).headers;
    for (const given of [headers, during]) expect(verifyWebhook(raw, given, [staged, SECRET])).toEqual(collection);
    for (const given of [during, after]) expect(verifyWebhook(raw, given, staged)).toEqual(collection);
    expect(verifyWebhook(raw, during, SECRET, { toleranceS: null })).toEqual(collection);
  });

  test("and its data is typed by its event", () => {
    const event = verifyWebhook(raw, headers, SECRET);
    expect(event.event === "collection.success" && event.data.net).toBe(2475.72);
  });
});

function refusal(body: unknown, given: HeadersLike, secret: string | string[] = SECRET): WebhookVerificationError {
  try {
    verifyWebhook(body as Uint8Array, given, secret);
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error;
  }
  throw new Error("it was accepted");
}

const OTHER = "whsec_VUTSRQPONMLKJIHGFEDCBA9876543210";
const live = deliveryOf({ ...collection, mode: "live" }, OTHER);
const DISBELIEVED: [string, unknown, HeadersLike, string | string[], WebhookVerificationCode, RegExp][] = [
  ["no signature", raw, { "content-type": "application/json" }, SECRET, "signature_missing", /header is missing/],
  ["a short signature", raw, { "x-service-signature": signature.slice(1) }, SECRET, "signature_malformed", /127/],
  [
    "a prefixed signature",
    raw,
    { "x-service-signature": `sha512=${signature}` },
    SECRET,
    "signature_malformed",
    /128 hex/,
  ],
  ["an empty signature", raw, { "x-service-signature": "" }, SECRET, "signature_malformed", /this has 0/],
  [
    "two signatures",
    raw,
    { "x-service-signature": [signature, signature] },
    SECRET,
    "signature_malformed",
    /one value/,
  ],
  ["a parsed body", collection, headers, SECRET, "body_not_raw", /express\.raw/],
  ["no body", undefined, headers, SECRET, "body_not_raw", /never read/],
  ["an empty body", Buffer.alloc(0), headers, SECRET, "body_not_raw", /empty/],
  ["a reserialized body", JSON.stringify(collection, null, 2), headers, SECRET, "body_not_raw", /serialized again/],
  ["a body in base64", raw.toString("base64"), headers, SECRET, "body_not_raw", /base64/],
  ["a quoted body", JSON.stringify(text), headers, SECRET, "body_not_raw", /quoted/],
  ["a body with a line break", `\uFEFF{ broken }\n`, signed("{ broken }"), SECRET, "body_not_raw", /white space/],
  ["an empty secret", raw, headers, "", "secret_invalid", /empty/],
  ["a secret with a line break", raw, headers, `${SECRET}\n`, "secret_invalid", /white space/],
  ["no secret in a list", raw, headers, [], "secret_invalid", /no signing secret in the list/],
  ["an API key among the secrets", raw, headers, [SECRET, "sk_test_abc"], "secret_invalid", /API key/],
  ["an API key as secret", raw, headers, "sk_test_abc", "secret_invalid", /API key/],
  ["a secret without its prefix", raw, headers, SECRET.slice(6), "secret_invalid", /whsec_/],
  ["another secret", raw, headers, OTHER, "signature_mismatch", /signing secret of test mode/],
  ["the secret of the other mode", live.raw, live.headers, SECRET, "signature_mismatch", /signing secret of live mode/],
  ["another amount", text.replace("2500.73", "9999.99"), headers, SECRET, "signature_mismatch", /another party/],
  [
    "a body with other white space",
    text.replaceAll(",", ", "),
    headers,
    OTHER,
    "signature_mismatch",
    /changed in transit/,
  ],
  ["half a body", text.slice(0, 40), headers, SECRET, "signature_mismatch", /incomplete/],
  ["signed text that is not JSON", "hello", signed("hello"), SECRET, "body_not_json", /not the JSON/],
  ["signed JSON that is not an event", "null", signed("null"), SECRET, "body_not_json", /not the JSON/],
];

describe("an invalid delivery is refused with the reason", () => {
  test.each(DISBELIEVED)("%s", (_what, body, given, secret, code, message) => {
    const error = refusal(body, given, secret);
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)]);
    expect(error.message).not.toContain("whsec_0");
  });
});

describe("the age of a delivery", () => {
  const code = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      if (error instanceof WebhookVerificationError) return error.code;
    }
  };
  const sent = (ageS: number) => ({ ...headers, ...signed(raw, SECRET, ageS) });

  test("may be five minutes in either direction, or as much as the caller allows, by the caller's clock", () => {
    for (const ageS of [0, 295, -295]) expect(verifyWebhook(raw, sent(ageS), SECRET)).toEqual(collection);
    expect(code(() => verifyWebhook(raw, sent(305), SECRET))).toBe("timestamp_too_old");
    expect(code(() => verifyWebhook(raw, sent(-305), SECRET))).toBe("timestamp_in_future");
    expect(code(() => verifyWebhook(raw, sent(5), SECRET, { toleranceS: 2 }))).toBe("timestamp_too_old");
    expect(verifyWebhook(raw, sent(86_400), SECRET, { toleranceS: 90_000 })).toEqual(collection);
    expect(verifyWebhook(raw, sent(86_400), SECRET, { now: () => Date.now() - 86_400_000 })).toEqual(collection);
    expect(verifyWebhook(raw, sent(86_400), SECRET, { toleranceS: null })).toEqual(collection);
  });

  test("cannot be made younger: the time is signed, and without it nothing is accepted unless the caller says so", () => {
    const old = sent(3_600);
    const now = signed(raw)["webhook-timestamp"];
    expect(code(() => verifyWebhook(raw, { ...old, "webhook-timestamp": now }, SECRET))).toBe("signature_mismatch");
    expect(code(() => verifyWebhook(raw, { ...old, "webhook-id": "evt_test_2" }, SECRET))).toBe("signature_mismatch");
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"])
      expect(
        code(() => verifyWebhook(raw, { ...headers, [name]: undefined }, SECRET)),
        name,
      ).toBe("timestamp_missing");
    expect(code(() => verifyWebhook(raw, { ...headers, "webhook-timestamp": "today" }, SECRET))).toBe(
      "timestamp_malformed",
    );
    const only = { "x-service-signature": signature };
    expect(verifyWebhook(raw, only, SECRET, { toleranceS: null })).toEqual(collection);
  });

  test("is read from either signature while the secret is rotated", () => {
    const both = `${headers["webhook-signature"]} ${signed(raw, OTHER)["webhook-signature"]}`;
    expect(verifyWebhook(raw, { ...headers, "webhook-signature": both }, SECRET)).toEqual(collection);
    const swapped = both.split(" ").reverse().join(" ");
    expect(verifyWebhook(raw, { ...headers, "webhook-signature": swapped }, SECRET)).toEqual(collection);
  });
});
