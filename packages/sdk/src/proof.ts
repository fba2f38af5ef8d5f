import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { ProofChallenge } from "./errors.ts";

/** How many hashes are computed before other work gets its turn: about 10 ms. */
const SLICE = 8_192;

/**
 * The `proof` with which a call is repeated that was refused with `proof_required`: `{challenge}.{n}` for the first n whose SHA-256
 * begins with `difficulty` zero bits. Takes a moment at 14 bits and seconds at 22. In a browser, use `{checkout_host}/assets/proof.js`.
 */
export async function solveProof({
  challenge,
  difficulty,
}: Pick<ProofChallenge, "challenge" | "difficulty">): Promise<string> {
  for (let n = 0; ; n++) {
    const proof = `${challenge}.${n}`;
    if (Math.clz32(createHash("sha256").update(proof).digest().readUInt32BE(0)) >= difficulty) return proof;
    if (n % SLICE === SLICE - 1) await setImmediate();
  }
}
