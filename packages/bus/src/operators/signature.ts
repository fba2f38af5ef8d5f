import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import type { OperatorSignature } from "@collect/contracts";
import { headers, type MsgHdrs, nkeys } from "nats";
import { publicKeyOf } from "../access/keys.ts";

/** What an operator orders: this body to this subject, at this time. */
type Order = { subject: string; body: string } & Omit<OperatorSignature, "signature">;

const HEADERS = {
  public_key: "Operator-Key",
  at: "Operator-Time",
  request_id: "Request-Id",
  proposal: "Operator-Proposal",
  signature: "Operator-Signature",
} as const;

/** Signs an order with an operator's private key. */
export function sign(
  order: Pick<Order, "subject" | "body" | "request_id" | "proposal">,
  seed: string,
): OperatorSignature {
  const { subject, body, ...signed } = { ...order, public_key: publicKeyOf(seed), at: new Date().toISOString() };
  const signature = nkeys.fromSeed(bytes(seed)).sign(toBeSigned({ ...signed, subject, body }));
  return { ...signed, signature: Buffer.from(signature).toString("base64") };
}

/** Adds an operator's public key and signature to the headers of a request, under the id that was signed. */
export function addSignature(meta: MsgHdrs, { public_key, at, request_id, proposal, signature }: OperatorSignature) {
  meta.set(HEADERS.public_key, public_key);
  meta.set(HEADERS.at, at);
  meta.set(HEADERS.request_id, request_id);
  if (proposal) meta.set(HEADERS.proposal, proposal);
  meta.set(HEADERS.signature, signature);
}

/** Undefined for a request without a signature. */
export function signatureOf(meta: MsgHdrs = headers()): OperatorSignature | undefined {
  const signature = meta.get(HEADERS.signature);
  if (!signature) return undefined;
  const proposal = meta.get(HEADERS.proposal);
  const [public_key, at, request_id] = [
    meta.get(HEADERS.public_key),
    meta.get(HEADERS.at),
    meta.get(HEADERS.request_id),
  ];
  return { public_key, at, request_id, signature, ...(proposal && { proposal }) };
}

/**
 * Whether the owner of the public key signed exactly this order. A signature is accepted in one spelling: canonical Base64, and
 * the only form of the scalar that OpenSSL takes.
 */
export function isSigned(order: Order & { signature: string }): boolean {
  const [key, signature] = [keyOf(order.public_key), Buffer.from(order.signature, "base64")];
  const isCanonical = signature.toString("base64") === order.signature;
  return key !== undefined && isCanonical && verify(null, toBeSigned(order), key, signature);
}

/** Undefined for what is no nkey: the Base32 of a byte for its kind, the Ed25519 key and a checksum. */
function keyOf(publicKey: string): KeyObject | undefined {
  try {
    // Only for the checksum: it verifies in JavaScript, at a hundred times the cost.
    nkeys.fromPublic(publicKey);
  } catch {
    return undefined;
  }
  const x = fromBase32(publicKey)
    .subarray(1, 1 + RAW_BYTES)
    .toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}

const RAW_BYTES = 32;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}

/** Identifies an order by what is signed, whatever its signature: Ed25519 allows a signer several for one text. */
export const digestOf = (order: Order): string => sha256(toBeSigned(order));

function toBeSigned({ subject, body, public_key, at, request_id, proposal = "" }: Order): Uint8Array {
  const fields = ["collect.operator.v1", subject, sha256(body), public_key, at, request_id, proposal];
  return bytes(JSON.stringify(fields));
}

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");

const bytes = (string: string) => new TextEncoder().encode(string);
