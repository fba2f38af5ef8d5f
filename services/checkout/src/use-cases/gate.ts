import { randomBytes } from "node:crypto";
import { type MerchantScope, Problem, type ProofChallenge } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { countCall, uncountCall } from "@collect/http";
import { type Action, BUDGETS, type Budget } from "../domain/budgets.ts";
import { clientTag } from "../domain/client-tag.ts";
import { challengeFor, difficultyFor, type Purpose, solvedNonce } from "../domain/proof.ts";
import { proofKeyOf } from "../store/proof-key.ts";

/** Who calls: the network address that is counted, and a solved challenge if there is one. */
export type Client = { address: string; proof?: string | undefined };

/** `scope` tells the budgets of one merchant apart: the slug of a link. */
export type Passage = { action: Action; merchant: MerchantScope; scope?: string };

/** Admits a call and returns its client's tag, or throws `proof_required` with a challenge. */
export type Gate = (passage: Passage, client: Client) => Promise<string>;

/** Longer than a challenge is valid. */
const USED_FOR_MS = 10 * 60_000;

/**
 * No client is refused for sharing an address or a merchant with an attack: beyond a budget a call costs a proof of work,
 * which a browser does unseen. Only admitted calls are counted, so that refused ones raise no other client's difficulty.
 */
export function createGate(pool: Pool): Gate {
  let key: Promise<Buffer> | undefined;
  function proofKey(): Promise<Buffer> {
    key ??= proofKeyOf(pool).catch((error) => {
      key = undefined;
      throw error;
    });
    return key;
  }

  async function hasProof(purpose: Purpose, proof: string | undefined, difficultyNow: number): Promise<boolean> {
    if (!proof) return false;
    const nonce = solvedNonce(purpose, proof, { key: await proofKey(), now: new Date(), difficultyNow });
    if (!nonce) return false;
    const used = await countCall(pool, { key: `proof:${nonce}`, windowMs: USED_FOR_MS });
    return used.hits === 1;
  }

  return async ({ action, merchant, scope = "" }, { address, proof }) => {
    const { id: merchantId, mode } = merchant;
    const purpose = { action, mode, merchantId, client: address };
    const shared = ["gate", action, mode, merchantId, scope].join(":");
    const counted = await countBoth(pool, { shared, client: `${shared}:${address}` }, BUDGETS[action]);
    const difficulty = difficultyFor(counted.pressure);
    if (counted.isBeyond && !(await hasProof(purpose, proof, difficulty))) {
      await counted.takeBack();
      throw proofRequired(challengeFor(purpose, difficulty, await draw(proofKey())));
    }
    return clientTag(await proofKey(), merchant, address);
  };
}

async function countBoth(pool: Pool, keys: { shared: string; client: string }, budget: Budget) {
  const { windowMs } = budget;
  const [client, shared] = await Promise.all([
    countCall(pool, { key: keys.client, windowMs }),
    countCall(pool, { key: keys.shared, windowMs }),
  ]);
  return {
    isBeyond: client.hits > budget.client || shared.hits > budget.shared,
    pressure: { client: client.hits / budget.client, shared: shared.hits / budget.shared },
    takeBack: () => Promise.all([uncountCall(pool, keys.client), uncountCall(pool, keys.shared)]),
  };
}

const draw = async (key: Promise<Buffer>) => ({
  key: await key,
  nonce: randomBytes(16).toString("base64url"),
  now: new Date(),
});

const proofRequired = (proof: ProofChallenge) =>
  new Problem(
    "proof_required",
    "Many payments are being started. Solve the challenge in `proof` and repeat the call with the result.",
    { proof },
  );
