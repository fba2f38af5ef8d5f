import { timingSafeEqual } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Mode, SignatureVerdict } from "@collect/contracts";
import type { z } from "zod";
import { serviceSignature } from "./signature.ts";

/** What somebody's server got, and the secret it has if that was told. */
export type Asked = { body: string; signature: string; secret: string | undefined };

/** What we know of the merchant: the secrets of this mode and of the other one, and the event of which the body speaks. */
export type Known = {
  mode: Mode;
  secret: string;
  stagedSecret: string | null;
  otherModeSecrets: string[];
  event: Buffer | undefined;
};

export type Explained = { verdict: z.infer<typeof SignatureVerdict>; explanation: string };

/** Whether a signature fits a body, and if not, why. What it says names no secret, and signs nothing for whoever asks. */
export function explainSignature(asked: Asked, known: Known): Explained {
  const [verdict, explanation] = judged(asked, known);
  return { verdict, explanation };
}

type Judgement = [verdict: Explained["verdict"], explanation: string];

function judged(asked: Asked, known: Known): Judgement {
  if (!/^[0-9a-f]{128}$/i.test(asked.signature)) return ["not_hex", howItLooks(asked.signature)];
  const body = Buffer.from(asked.body);
  return bySecret(asked, known, body) ?? byOtherBytes(asked, known, body) ?? byTheBody(asked, known, body);
}

/** The signature is right for these bytes with one of the secrets we know. */
function bySecret({ signature, secret }: Asked, known: Known, body: Buffer): Judgement | undefined {
  const signedWith = (key: string) => isSignature(signature, key, body);
  if (signedWith(known.secret)) {
    if (secret === undefined || secret === known.secret)
      return ["match", "The signature is right for this body with the present signing secret."];
    if (secret === known.stagedSecret)
      return [
        "wrong_secret",
        "The signature is right with the present signing secret, but your server has the staged one already. Until that is activated, verify X-Service-Signature with the present secret, or webhook-signature with either.",
      ];
    return [
      "wrong_secret",
      `The signature is right with the present signing secret, but your server has another one${oddityOf(secret)}. Copy the secret of ${known.mode} mode again.`,
    ];
  }
  if (known.stagedSecret !== null && signedWith(known.stagedSecret))
    return [
      "match_staged",
      "The signature is right with the staged secret. Until that is activated, X-Service-Signature is made with the present secret, and only webhook-signature with both.",
    ];
  if (known.otherModeSecrets.some(signedWith))
    return [
      "wrong_mode",
      `This is signed with the secret of ${otherMode(known.mode)} mode. Each mode has its own: verify it with that one, or send it to the server of ${otherMode(known.mode)} mode.`,
    ];
  if (secret !== undefined && signedWith(secret))
    return [
      "wrong_secret",
      `This is signed with the secret you gave, and that is not the present signing secret of ${known.mode} mode${oddityOf(secret)}. It may be one from before a change of secrets: copy the present one.`,
    ];
  return undefined;
}

/** The signature is right for other bytes, out of which these may have been made. */
function byOtherBytes({ body: text, signature, secret }: Asked, known: Known, body: Buffer): Judgement | undefined {
  const keys = [known.secret, known.stagedSecret, ...known.otherModeSecrets, secret].filter(
    (key) => typeof key === "string",
  );
  const signed = [known.event, ...likelySources(text)].find(
    (bytes) => bytes && !bytes.equals(body) && keys.some((key) => isSignature(signature, key, bytes)),
  );
  if (!signed) return undefined;
  return saysTheSame(text, signed.toString()) ? ["body_reserialised", RESERIALISED] : ["body_changed", CHANGED];
}

/** The signature is of nothing we know: what the body tells. */
function byTheBody({ body: text, secret }: Asked, known: Known, body: Buffer): Judgement {
  const { event, mode } = known;
  if (event?.equals(body))
    return [
      "wrong_secret",
      `The body is what was sent, byte for byte, but the signature is from another secret${secret === undefined ? "" : " than the present one and yours"}. It may have been sent before the secret was changed, or somebody else has signed it: do not believe it.`,
    ];
  if (event && saysTheSame(text, event.toString())) return ["body_reserialised", RESERIALISED];
  if (event) return ["body_changed", CHANGED];
  const json = parsed(text);
  if (json === undefined)
    return [
      "body_changed",
      "The body is not JSON, so it is not what was sent, or not all of it. Verify the raw bytes.",
    ];
  if (modeOf(json) === otherMode(mode))
    return [
      "wrong_mode",
      `The body says that it is of ${otherMode(mode)} mode. Look there: each mode has its own secret and its own events.`,
    ];
  return [
    "unknown_event",
    `No event of yours in ${mode} mode has this reference. Somebody else may have sent it: do not believe it.`,
  ];
}

const RESERIALISED =
  "The body says the same but is written in other bytes: it was parsed and written again, or given white space, before it was verified. Verify the raw bytes of the request, before any JSON parser.";
const CHANGED =
  "The body is not what was sent: it says something else than the event of that reference. Verify the raw bytes of the request, and do not believe this body.";

/** Words for what is no X-Service-Signature. */
function howItLooks(signature: string): string {
  const wanted = "X-Service-Signature is 128 hex digits: HMAC-SHA512 of the raw body.";
  if (signature === "") return `The signature is empty. ${wanted}`;
  if (/^v\d+a?,/.test(signature))
    return `This looks like webhook-signature, the signature of Standard Webhooks. ${wanted} Take that header, or verify this one with a library of standardwebhooks.com.`;
  if (/^(sha|hmac|v\d)[\w-]*\s*[=:]/i.test(signature))
    return `This has a prefix before the signature. ${wanted} Nothing stands before them.`;
  if (/^[0-9a-f]{64}$/i.test(signature)) return `This has 64 hex digits, as HMAC-SHA256 gives. ${wanted}`;
  if (/^[0-9a-f]+$/i.test(signature))
    return `This has ${signature.length} hex digits: a part is missing or too much. ${wanted}`;
  if (/^[A-Za-z0-9+/_-]{86}(==)?$/.test(signature))
    return `This looks like the same length in base64. ${wanted} Write the digest in hex, or compare the bytes.`;
  if (/^[A-Za-z0-9+/_-]+={0,2}$/.test(signature)) return `This looks like base64. ${wanted}`;
  return `This has ${signature.length} characters that are not all hex digits. ${wanted}`;
}

/** What is wrong with how a secret is written, if that can be seen. */
function oddityOf(secret: string): string {
  if (/^[sp]k_/.test(secret)) return " (it is an API key)";
  if (!secret.startsWith("whsec_")) return " (a signing secret begins with whsec_, and that belongs to it)";
  return "";
}

/** Out of which bytes such a body is often made. */
function likelySources(text: string): Buffer[] {
  const json = parsed(text);
  const sources = [text.trim(), json === undefined ? undefined : unlessRefused(() => JSON.stringify(json))];
  // A body that was quoted as a string.
  if (typeof json === "string") sources.push(json);
  return sources.filter((source) => source !== undefined).map((source) => Buffer.from(source));
}

function isSignature(signature: string, key: string, body: Buffer): boolean {
  return timingSafeEqual(Buffer.from(signature, "hex"), Buffer.from(serviceSignature(key, body), "hex"));
}

function saysTheSame(a: string, b: string): boolean {
  const [left, right] = [parsed(a), parsed(b)];
  return left !== undefined && unlessRefused(() => isDeepStrictEqual(unquoted(left), right)) === true;
}

const unquoted = (json: unknown): unknown => (typeof json === "string" ? parsed(json) : json);

/** Undefined when it is not JSON. */
const parsed = (text: string): unknown => unlessRefused(() => JSON.parse(text));

/** Undefined where the text is no JSON, or nested so deep that the stack does not hold it. */
function unlessRefused<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Which event a body says it is. */
export function namedEvent(body: string): { kind: string; reference: string } | undefined {
  const json = unquoted(parsed(body));
  const kind = fieldOf(json, "event");
  const reference = fieldOf(fieldOf(json, "data"), "reference");
  return isName(kind) && isName(reference) ? { kind, reference } : undefined;
}

/** Anything else is no name of ours, and need not be looked for. */
const isName = (value: unknown): value is string => typeof value === "string" && /^[\w.-]{1,100}$/.test(value);

const modeOf = (json: unknown): unknown => fieldOf(unquoted(json), "mode");

function fieldOf(json: unknown, name: string): unknown {
  return typeof json === "object" && json !== null ? Object.getOwnPropertyDescriptor(json, name)?.value : undefined;
}

const otherMode = (mode: Mode): Mode => (mode === "test" ? "live" : "test");
