import { timingSafeEqual } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Mode, SignatureVerdict } from "@collect/contracts";
import type { z } from "zod";
import { serviceSignature } from "./signature.ts";

/** What the merchant's server received, and the secret it uses, if given. */
export type ReceivedWebhook = { body: string; signature: string; secret: string | undefined };

/** The merchant's secrets in this mode and in the other one, and the event that the body names. */
export type SigningContext = {
  mode: Mode;
  secret: string;
  stagedSecret: string | null;
  otherModeSecrets: string[];
  event: Buffer | undefined;
};

export type Explanation = { verdict: z.infer<typeof SignatureVerdict>; explanation: string };

/** Whether a signature matches a body, and if not, why. The explanation contains no secret and never signs for the caller. */
export function explainSignature(webhook: ReceivedWebhook, context: SigningContext): Explanation {
  const [verdict, explanation] = judge(webhook, context);
  return { verdict, explanation };
}

type Judgement = [verdict: Explanation["verdict"], explanation: string];

function judge(webhook: ReceivedWebhook, context: SigningContext): Judgement {
  if (!/^[0-9a-f]{128}$/i.test(webhook.signature)) return ["not_hex", describeFormat(webhook.signature)];
  const body = Buffer.from(webhook.body);
  return bySecret(webhook, context, body) ?? byOtherBytes(webhook, context, body) ?? byBody(webhook, context, body);
}

/** The signature is valid for these bytes with one of the known secrets. */
function bySecret(
  { signature, secret }: ReceivedWebhook,
  context: SigningContext,
  body: Buffer,
): Judgement | undefined {
  const signedWith = (key: string) => isSignature(signature, key, body);
  if (signedWith(context.secret)) {
    if (secret === undefined || secret === context.secret)
      return ["match", "The signature is right for this body with the current signing secret."];
    if (secret === context.stagedSecret)
      return [
        "wrong_secret",
        "The signature is right with the current signing secret, but your server has the staged one already. Until that is activated, verify X-Service-Signature with the current secret, or webhook-signature with either.",
      ];
    return [
      "wrong_secret",
      `The signature is right with the current signing secret, but your server has another one${formatHint(secret)}. Copy the ${context.mode} mode secret again.`,
    ];
  }
  if (context.stagedSecret !== null && signedWith(context.stagedSecret))
    return [
      "match_staged",
      "The signature is right with the staged secret. Until that is activated, X-Service-Signature uses the current secret, and only webhook-signature uses both.",
    ];
  if (context.otherModeSecrets.some(signedWith))
    return [
      "wrong_mode",
      `This is signed with the ${otherMode(context.mode)} mode secret. Each mode has its own: verify it with that one, or send it to your ${otherMode(context.mode)} mode server.`,
    ];
  if (secret !== undefined && signedWith(secret))
    return [
      "wrong_secret",
      `This is signed with the secret you gave, which is not the current ${context.mode} mode signing secret${formatHint(secret)}. It may have been replaced: copy the current one.`,
    ];
  return undefined;
}

/** The signature is valid for other bytes, from which these may have been derived. */
function byOtherBytes(
  { body: text, signature, secret }: ReceivedWebhook,
  context: SigningContext,
  body: Buffer,
): Judgement | undefined {
  const keys = [context.secret, context.stagedSecret, ...context.otherModeSecrets, secret].filter(
    (key) => typeof key === "string",
  );
  const signed = [context.event, ...likelySources(text)].find(
    (bytes) => bytes && !bytes.equals(body) && keys.some((key) => isSignature(signature, key, bytes)),
  );
  if (!signed) return undefined;
  return isSameJson(text, signed.toString()) ? ["body_reserialised", RESERIALISED] : ["body_changed", CHANGED];
}

/** The signature matches nothing known: explains by the body. */
function byBody({ body: text, secret }: ReceivedWebhook, context: SigningContext, body: Buffer): Judgement {
  const { event, mode } = context;
  if (event?.equals(body))
    return [
      "wrong_secret",
      `The body is what was sent, byte for byte, but the signature is from another secret${secret === undefined ? "" : ", neither the current one nor yours"}. It may have been sent before the secret was changed, or another sender has signed it: do not trust it.`,
    ];
  if (event && isSameJson(text, event.toString())) return ["body_reserialised", RESERIALISED];
  if (event) return ["body_changed", CHANGED];
  const json = parsed(text);
  if (json === undefined)
    return [
      "body_changed",
      "The body is not JSON, so it is not what was sent, or it is incomplete. Verify the raw bytes.",
    ];
  if (modeOf(json) === otherMode(mode))
    return [
      "wrong_mode",
      `The body is from ${otherMode(mode)} mode. Check it there: each mode has its own secret and its own events.`,
    ];
  return [
    "unknown_event",
    `None of your events in ${mode} mode has this reference. Another sender may have forged it: do not trust it.`,
  ];
}

const RESERIALISED =
  "The body has the same content but different bytes: it was parsed and serialized again, or whitespace was added, before it was verified. Verify the raw bytes of the request, before any JSON parser.";
const CHANGED =
  "The body is not what was sent: its content differs from the event with that reference. Verify the raw bytes of the request, and do not trust this body.";

/** Describes a value that is not an X-Service-Signature. */
function describeFormat(signature: string): string {
  const wanted = "X-Service-Signature is 128 hex digits: HMAC-SHA512 of the raw body.";
  if (signature === "") return `The signature is empty. ${wanted}`;
  if (/^v\d+a?,/.test(signature))
    return `This looks like webhook-signature, the signature of Standard Webhooks. ${wanted} Use that header, or verify this one with a library from standardwebhooks.com.`;
  if (/^(sha|hmac|v\d)[\w-]*\s*[=:]/i.test(signature))
    return `This has a prefix before the signature. ${wanted} It has no prefix.`;
  if (/^[0-9a-f]{64}$/i.test(signature)) return `This has 64 hex digits, the length of an HMAC-SHA256. ${wanted}`;
  if (/^[0-9a-f]+$/i.test(signature))
    return `This has ${signature.length} hex digits: it is too short or too long. ${wanted}`;
  if (/^[A-Za-z0-9+/_-]{86}(==)?$/.test(signature))
    return `This looks like a digest of the right length in base64. ${wanted} Encode the digest in hex, or compare the bytes.`;
  if (/^[A-Za-z0-9+/_-]+={0,2}$/.test(signature)) return `This looks like base64. ${wanted}`;
  return `This has ${signature.length} characters that are not all hex digits. ${wanted}`;
}

/** A hint when the secret is visibly malformed. */
function formatHint(secret: string): string {
  if (/^[sp]k_/.test(secret)) return " (it is an API key)";
  if (!secret.startsWith("whsec_")) return " (a signing secret begins with whsec_, and the prefix is part of it)";
  return "";
}

/** Bytes from which such a body is often derived. */
function likelySources(text: string): Buffer[] {
  const json = parsed(text);
  const sources = [text.trim(), json === undefined ? undefined : orUndefined(() => JSON.stringify(json))];
  // A body that was encoded as a JSON string.
  if (typeof json === "string") sources.push(json);
  return sources.filter((source) => source !== undefined).map((source) => Buffer.from(source));
}

function isSignature(signature: string, key: string, body: Buffer): boolean {
  return timingSafeEqual(Buffer.from(signature, "hex"), Buffer.from(serviceSignature(key, body), "hex"));
}

function isSameJson(a: string, b: string): boolean {
  const [left, right] = [parsed(a), parsed(b)];
  return left !== undefined && orUndefined(() => isDeepStrictEqual(unquoted(left), right)) === true;
}

const unquoted = (json: unknown): unknown => (typeof json === "string" ? parsed(json) : json);

/** Undefined when it is not JSON. */
const parsed = (text: string): unknown => orUndefined(() => JSON.parse(text));

/** Undefined when the text is not JSON, or is nested too deeply for the stack. */
function orUndefined<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The event that a body names. */
export function namedEvent(body: string): { kind: string; reference: string } | undefined {
  const json = unquoted(parsed(body));
  const kind = fieldOf(json, "event");
  const reference = fieldOf(fieldOf(json, "data"), "reference");
  return isName(kind) && isName(reference) ? { kind, reference } : undefined;
}

/** Anything else cannot be the name of an event, and is not looked up. */
const isName = (value: unknown): value is string => typeof value === "string" && /^[\w.-]{1,100}$/.test(value);

const modeOf = (json: unknown): unknown => fieldOf(unquoted(json), "mode");

function fieldOf(json: unknown, name: string): unknown {
  return typeof json === "object" && json !== null ? Object.getOwnPropertyDescriptor(json, name)?.value : undefined;
}

const otherMode = (mode: Mode): Mode => (mode === "test" ? "live" : "test");
