import { randomBytes } from "node:crypto";
import { type MerchantScope, Problem } from "@collect/contracts";
import { type Pool, readClock, transaction } from "@collect/database";
import type { MerchantServers } from "../adapters/merchant-server.ts";
import { CHALLENGE_LIMITS, challengeRequest, faultOfAnswer } from "../domain/challenge.ts";
import { beginChallenge, storeAnswer } from "../store/challenges.ts";
import { confirmUrl, type Endpoint, findEndpoint, proposeUrl } from "../store/webhook-endpoints.ts";
import { newSecret } from "./new-secret.ts";
import { openRow, type SealedSecrets } from "./sealed-secrets.ts";

export type ConfirmingDeps = { pool: Pool; secrets: SealedSecrets; challengers: MerchantServers };

/**
 * Sends the URL its challenge, and events once it has answered: nobody's server can be made to receive them by naming it. The
 * URL and the challenge are stored before the server is called, outside any transaction; a crash in between leaves an
 * unconfirmed URL, whose challenge is sent again on request.
 */
export async function confirmByChallenge(
  { pool, secrets, challengers }: ConfirmingDeps,
  merchant: MerchantScope,
  url: string,
): Promise<Endpoint> {
  const begun = await transaction(pool, async (tx) => {
    const challenge = await beginChallenge(tx, { merchant, url, host: new URL(url).hostname }, CHALLENGE_LIMITS);
    if ("id" in challenge) await proposeUrl(tx, { merchant, url, secret: secrets.seal(merchant, newSecret()) });
    return challenge;
  });
  if ("retryAfterS" in begun) throw tooManyChallenges(begun.retryAfterS);

  const { secret, staged_secret: stagedSecret } = openRow(secrets, merchant, await endpointOf(pool, merchant));
  const [challenge, reference] = [randomBytes(24).toString("hex"), `chl_${randomBytes(12).toString("hex")}`];
  const request = challengeRequest(
    { reference, challenge, mode: merchant.mode, at: await readClock(pool) },
    { secret, stagedSecret },
  );
  const fault = faultOfAnswer(challenge, await challengers.post({ url, ...request }));
  if (fault === null) await confirmUrl(pool, merchant, url);
  await storeAnswer(pool, begun.id, fault);
  return endpointOf(pool, merchant);
}

async function endpointOf(pool: Pool, merchant: MerchantScope): Promise<Endpoint> {
  const endpoint = await findEndpoint(pool, merchant);
  if (!endpoint) throw new Error("the endpoint was not stored");
  return endpoint;
}

const tooManyChallenges = (retryAfterS: number) =>
  new Problem(
    "rate_limited",
    `A new webhook URL is sent a challenge, at most ${CHALLENGE_LIMITS.perMerchant} in any 60 minutes. Your present URL is unchanged. Wait the number of seconds in the Retry-After header.`,
    { retryAfterS },
  );
