import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { ProofChallenge } from "@collect/contracts";

/**
 * A proof of work in the manner of hashcash: find n so that the SHA-256 of `{challenge}.{n}` begins with so many zero
 * bits. A challenge is `{difficulty}.{expiry}.{nonce}.{mac}`; the MAC also covers what it is for, so that the server
 * stores nothing until a solution comes back.
 */

/** What a challenge is for: one kind of call, at one merchant, by one client. */
export type Purpose = { action: string; mode: string; merchantId: string; client: string };

/**
 * In zero bits. 14 take a laptop's browser 0.05 s, 19 take it 1.5 s, and a phone a few times that (measured: 2.8 µs a hash).
 * Payers who share a merchant with an attack never get more than that; a client whose own calls are the pressure does.
 */
export const DIFFICULTY = { min: 14, sharedMax: 19, clientMax: 22 };
const EXPIRES_AFTER_MS = 5 * 60_000;

/** The calls that were admitted in a window, as multiples of the budgets: of this client, and of all clients together. */
export type Pressure = { client: number; shared: number };

/** A client's work doubles with each of its budgets; that of all grows with the square of the pressure. */
export function difficultyFor({ client, shared }: Pressure): number {
  const { min, sharedMax, clientMax } = DIFFICULTY;
  const byClient = Math.min(clientMax, min + Math.max(0, Math.floor(client) - 1));
  const byShared = Math.min(sharedMax, min + Math.max(0, Math.floor(2 * Math.log2(Math.max(1, shared)))));
  return Math.max(byClient, byShared);
}

/**
 * How much easier than now a challenge may have been when it was drawn: the calls of others raise the pressure while an
 * honest browser works. Easier ones that were solved ahead are worth nothing once the pressure is there.
 */
const EASIER_MAX = 1;

type Drawn = { key: Buffer; nonce: string; now: Date };

export function challengeFor(purpose: Purpose, difficulty: number, { key, nonce, now }: Drawn): ProofChallenge {
  const expires = now.getTime() + EXPIRES_AFTER_MS;
  const terms = `${difficulty}.${expires}.${nonce}`;
  const expires_at = new Date(expires).toISOString().replace("Z", "+00:00");
  return { challenge: `${terms}.${macOf(purpose, terms, key)}`, difficulty, expires_at };
}

const PROOF = /^((\d{1,2})\.(\d{13})\.([\w-]{1,40}))\.([\w-]{43})\.(\d{1,15})$/;

type Checked = Omit<Drawn, "nonce"> & { /** Of a challenge that would be drawn now. */ difficultyNow: number };

/**
 * The nonce of the challenge that this proof solves, by which it is used once; undefined if it solves none of ours, or one
 * that is too easy by now.
 */
export function solvedNonce(purpose: Purpose, proof: string, { key, now, difficultyNow }: Checked): string | undefined {
  const [, terms = "", difficulty, expires, nonce, mac = ""] = PROOF.exec(proof) ?? [];
  if (!nonce || Number(expires) <= now.getTime() || Number(difficulty) < difficultyNow - EASIER_MAX) return undefined;
  const expected = Buffer.from(macOf(purpose, terms, key));
  const given = Buffer.from(mac);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return zeroBitsOf(proof) >= Number(difficulty) ? nonce : undefined;
}

function macOf({ action, mode, merchantId, client }: Purpose, terms: string, key: Buffer): string {
  return createHmac("sha256", key).update([action, mode, merchantId, client, terms].join("\n")).digest("base64url");
}

/** The leading zero bits of the text's hash, of which the first 32 are counted. */
export function zeroBitsOf(text: string): number {
  return Math.clz32(createHash("sha256").update(text).digest().readUInt32BE(0));
}
