import { WebhookVerificationError } from "./errors.ts";

/** Common changes to a body between the socket and its verification, and how to undo them. */
const CHANGES: { what: string; undo(text: string): string }[] = [
  { what: "parsed and serialized again as JSON", undo: (text) => JSON.stringify(JSON.parse(text)) },
  { what: "encoded in base64", undo: (text) => Buffer.from(text, "base64").toString() },
  { what: "quoted as a JSON string", undo: (text) => String(JSON.parse(text)) },
  { what: "changed by added white space or a byte order mark", undo: (text) => text.trim() },
];

/** Why a signature does not match, as far as the body shows. `fits` tests whether the signature matches other bytes. */
export function whatDiffers(body: Uint8Array, fits: (candidate: Uint8Array) => boolean): WebhookVerificationError {
  const text = Buffer.from(body).toString();
  const change = CHANGES.find(({ undo }) => {
    const signed = attempt(() => undo(text));
    return signed !== undefined && fits(Buffer.from(signed));
  });
  if (change)
    return new WebhookVerificationError(
      "body_not_raw",
      `The signature is valid, but the body was ${change.what} before verification. Verify the raw bytes.`,
    );
  return new WebhookVerificationError(
    "signature_mismatch",
    `The signature does not match this body and secret. ${hint(text)}`,
  );
}

/** The body is not verified: it is only read to help the developer find the mistake. */
function hint(text: string): string {
  const json = attempt(() => JSON.parse(text));
  if (json === undefined) return "The body is not JSON: it is incomplete, or the service did not send it.";
  if (attempt(() => JSON.stringify(json)) !== text)
    return "The body is not serialized as the service does it: it was changed in transit, or another party sent it.";
  if (json?.mode === "test" || json?.mode === "live")
    return `The body is from ${json.mode} mode: is this the signing secret of ${json.mode} mode? Each mode has its own. If it is, another party sent this.`;
  return "Either this is the wrong secret, or another party sent this.";
}

function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
