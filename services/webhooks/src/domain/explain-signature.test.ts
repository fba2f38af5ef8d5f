import { expect, test } from "vitest";
import { explainSignature, namedEvent, type ReceivedWebhook, type SigningContext } from "./explain-signature.ts";
import { serviceSignature } from "./signature.ts";

const PRESENT = "whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV";
const STAGED = "whsec_abcdefghijklmnopqrstuvwxyz012345";
const LIVE = "whsec_VUTSRQPONMLKJIHGFEDCBA9876543210";
const OTHER = "whsec_55555555555555555555555555555555";
const sent =
  '{"event":"collection.success","mode":"test","data":{"reference":"col_1","amount":2500.73,"payer_name":"Ṣọlá"}}';

const known: SigningContext = {
  mode: "test",
  secret: PRESENT,
  stagedSecret: null,
  otherModeSecrets: [LIVE],
  event: Buffer.from(sent),
};
const sign = (body: string, secret = PRESENT) => serviceSignature(secret, Buffer.from(body));
const received = (given: Partial<ReceivedWebhook>): ReceivedWebhook => ({
  body: sent,
  signature: sign(sent),
  secret: undefined,
  ...given,
});

const pretty = JSON.stringify(JSON.parse(sent), null, 2);
const reordered = sent.replace(
  '"event":"collection.success","mode":"test"',
  '"mode":"test","event":"collection.success"',
);
const changed = sent.replace("2500.73", "9500.73");
const unknown = { ...known, event: undefined };

test.each<[string, ReceivedWebhook, SigningContext, string, RegExp]>([
  ["as it was sent", received({}), known, "match", /is right/],
  ["in upper case", received({ signature: sign(sent).toUpperCase() }), known, "match", /is right/],
  ["with the right secret", received({ secret: PRESENT }), known, "match", /is right/],
  ["of an event that is no longer stored", received({}), unknown, "match", /is right/],
  ["with another secret at the server", received({ secret: OTHER }), known, "wrong_secret", /your server has another/],
  [
    "with the staged secret at the server already",
    received({ secret: STAGED }),
    { ...known, stagedSecret: STAGED },
    "wrong_secret",
    /has the staged one already.*until that is activated/i,
  ],
  ["with an API key at the server", received({ secret: "sk_test_1" }), known, "wrong_secret", /API key/],
  [
    "with the secret's prefix missing",
    received({ secret: PRESENT.slice(6) }),
    known,
    "wrong_secret",
    /begins with whsec_/,
  ],
  [
    "signed with the staged secret",
    received({ signature: sign(sent, STAGED) }),
    { ...known, stagedSecret: STAGED },
    "match_staged",
    /staged/,
  ],
  [
    "signed with a secret that is no longer staged",
    received({ signature: sign(sent, STAGED) }),
    known,
    "wrong_secret",
    /another secret/,
  ],
  ["signed with live's secret", received({ signature: sign(sent, LIVE) }), known, "wrong_mode", /live mode/],
  [
    "signed with the secret that was given",
    received({ signature: sign(sent, OTHER), secret: OTHER }),
    known,
    "wrong_secret",
    /you gave/,
  ],
  ["signed with an unknown secret", received({ signature: sign(sent, OTHER) }), known, "wrong_secret", /byte for byte/],
  ["pretty-printed", received({ body: pretty }), known, "body_reserialised", /raw bytes/],
  ["in another order", received({ body: reordered }), known, "body_reserialised", /raw bytes/],
  [
    "with escaped characters",
    received({ body: sent.replace("Ṣ", "\\u1e62") }),
    known,
    "body_reserialised",
    /raw bytes/,
  ],
  ["with a trailing newline", received({ body: `${sent}\n` }), known, "body_reserialised", /raw bytes/],
  ["quoted as a string", received({ body: JSON.stringify(sent) }), known, "body_reserialised", /raw bytes/],
  ["pretty-printed, of an unknown event", received({ body: pretty }), unknown, "body_reserialised", /raw bytes/],
  [
    "pretty-printed, with an unknown signature",
    received({ body: pretty, signature: sign("x") }),
    known,
    "body_reserialised",
    /raw bytes/,
  ],
  ["with another amount", received({ body: changed }), known, "body_changed", /not what was sent/],
  [
    "with another amount, with an unknown signature",
    received({ body: changed, signature: sign("x") }),
    known,
    "body_changed",
    /do not trust/,
  ],
  ["truncated", received({ body: sent.slice(0, 40) }), unknown, "body_changed", /not JSON/],
  [
    "of live mode, with an unknown signature",
    received({ body: sent.replace('"test"', '"live"'), signature: sign("x") }),
    unknown,
    "wrong_mode",
    /live mode/,
  ],
  ["of an unknown event", received({ signature: sign("x") }), unknown, "unknown_event", /do not trust/],
])("a webhook %s is explained", (_what, webhook, about, verdict, words) => {
  const explained = explainSignature(webhook, about);
  expect(explained).toMatchObject({ verdict });
  expect(explained.explanation).toMatch(words);
  for (const secret of [PRESENT, STAGED, LIVE, OTHER]) expect(explained.explanation).not.toContain(secret);
});

test.each<[SigningContext, string]>([
  [known, "body_changed"],
  [unknown, "unknown_event"],
])("a body nested deeper than the stack is explained like any other", (about, verdict) => {
  const body = "[".repeat(16_000) + "]".repeat(16_000);
  const webhook = received({ body, signature: sign("x") });
  expect(explainSignature(webhook, about)).toMatchObject({ verdict });
  expect(
    explainSignature(webhook, { ...about, event: about.event && Buffer.from(body.replace("[]", "[0]")) }),
  ).toMatchObject({ verdict });
  expect(namedEvent(body)).toBeUndefined();
});

test.each([
  ["", /empty/],
  ["v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=", /Standard Webhooks/],
  [`sha512=${sign(sent)}`, /prefix/],
  [Buffer.from(sign(sent), "hex").toString("base64"), /base64.*hex/s],
  [Buffer.from(sign(sent), "hex").toString("base64url"), /base64/],
  [sign(sent).slice(0, 64), /HMAC-SHA256/],
  [sign(sent).slice(1), /127 hex digits/],
  ["K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=", /base64/],
  ["not a signature", /15 characters/],
])("%j is not a signature, and its format is described", (signature, words) => {
  const explained = explainSignature(received({ signature }), known);
  expect(explained).toMatchObject({ verdict: "not_hex" });
  expect(explained.explanation).toMatch(words);
  expect(explained.explanation).toContain("128 hex digits");
});

test.each<[string, object | undefined]>([
  [sent, { kind: "collection.success", reference: "col_1" }],
  [JSON.stringify(sent), { kind: "collection.success", reference: "col_1" }],
  ["[]", undefined],
  ["null", undefined],
  ["nonsense", undefined],
  ['{"event":"x","data":null}', undefined],
  ['{"event":1,"data":{"reference":"a"}}', undefined],
  ['{"event":"x","data":{"reference":"\\u0000"}}', undefined],
])("the event that %s names", (body, expected) => expect(namedEvent(body)).toEqual(expected));
