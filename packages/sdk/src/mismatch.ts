import { WebhookVerificationError } from "./errors.ts";

/** Ways in which a body is changed between the socket and the code that verifies it, and how to get back what was signed. */
const CHANGES: { what: string; undo(text: string): string }[] = [
  { what: "parsed and written again as JSON", undo: (text) => JSON.stringify(JSON.parse(text)) },
  { what: "encoded in base64", undo: (text) => Buffer.from(text, "base64").toString() },
  { what: "quoted as a JSON string", undo: (text) => String(JSON.parse(text)) },
  { what: "given white space or a byte order mark around it", undo: (text) => text.trim() },
];

/** Why a signature does not fit, as far as the body tells. `fits` says whether the signature is that of other bytes. */
export function whatDiffers(body: Uint8Array, fits: (candidate: Uint8Array) => boolean): WebhookVerificationError {
  const text = Buffer.from(body).toString();
  const change = CHANGES.find(({ undo }) => {
    const signed = attempt(() => undo(text));
    return signed !== undefined && fits(Buffer.from(signed));
  });
  if (change)
    return new WebhookVerificationError(
      "body_not_raw",
      `The signature is right, but the body was ${change.what} before it got here. Verify the bytes as they came.`,
    );
  return new WebhookVerificationError(
    "signature_mismatch",
    `The signature does not fit this body and secret. ${hint(text)}`,
  );
}

/** Nothing here is proven: the body is only read to help the developer who looks for the mistake. */
function hint(text: string): string {
  const json = attempt(() => JSON.parse(text));
  if (json === undefined) return "The body is not JSON, so it is not what the service sent, or not all of it.";
  if (attempt(() => JSON.stringify(json)) !== text)
    return "The body is not written as the service writes it: it was changed on its way, or somebody else sent it.";
  if (json?.mode === "test" || json?.mode === "live")
    return `The body says it is of ${json.mode} mode: is this the signing secret of ${json.mode} mode? Each mode has its own. If it is, somebody else sent this.`;
  return "Either the secret is another one, or somebody else sent this.";
}

function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
