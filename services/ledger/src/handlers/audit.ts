import { answer } from "@collect/bus";
import { type Answer, countMinutes, getLedgerProof } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { headroomDifferences } from "../domain/headroom.ts";
import { named, sumDifferences } from "../domain/proof.ts";
import { readProgress } from "../store/audit-progress.ts";
import { readFullAccounts } from "../store/headroom.ts";
import { receivedMinutes } from "../store/received-minutes.ts";

/** What the ledger proved of itself, and what it holds by the minute, for whoever compares. */
export const auditRequests = (pool: Pool) => [
  answer(getLedgerProof, async (): Promise<Answer<typeof getLedgerProof>> => {
    const [progress, full] = await Promise.all([readProgress(pool), readFullAccounts(pool)]);
    const { modes, differences, last_differences, last_round_at, last_round, this_round, proven_at } = progress;
    const standing = named([
      ...sumDifferences(modes),
      ...differences,
      ...last_differences,
      ...headroomDifferences(full),
    ]);
    return {
      proven_at,
      holds: standing.length === 0,
      modes: modes.map((mode) => ({ ...mode, sum: BigInt(mode.sum) })),
      entries: { last_round_at, last_round: Number(last_round), this_round: Number(this_round) },
      differences: standing,
    };
  }),
  answer(countMinutes.ledger, async (span) => ({ minutes: await receivedMinutes(pool, span) })),
];
