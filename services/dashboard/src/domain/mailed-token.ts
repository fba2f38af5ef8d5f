import { createHmac } from "node:crypto";
import { z } from "zod";
import { sha256 } from "./token.ts";

/** The secrets that are valid at present; the first one is used for what is new. */
type Secrets = readonly [string, ...string[]];

/**
 * The token of a link that is mailed. It is derived from the mail's occasion, which is unique, so that it is in no table and
 * every attempt to send the mail contains the same link. Without the secret it cannot be derived from a copy of the database.
 * The mail keeps `proof`, by which a replica that is given another secret first still finds the token.
 */
export function newMailedLink(secrets: Secrets, occasion: string) {
  const token = derive(secrets[0], occasion);
  const hash = sha256(token);
  return { token, hash, proof: { token_sha256: hash.toString("hex") } };
}

const Proof = z.object({ token_sha256: z.string().optional() });

/** The token of a mail's link; undefined for a mail without one. */
export function tokenOf(secrets: Secrets, { occasion, detail }: { occasion: string; detail: object }) {
  const { token_sha256: hash } = Proof.parse(detail);
  if (hash === undefined) return undefined;
  const token = secrets.map((secret) => derive(secret, occasion)).find((one) => sha256(one).toString("hex") === hash);
  if (token === undefined) throw new Error("no AUTH_SECRET derives the link of this mail");
  return token;
}

const derive = (secret: string, occasion: string) =>
  createHmac("sha256", secret).update(`mailed link ${occasion}`).digest("base64url");
