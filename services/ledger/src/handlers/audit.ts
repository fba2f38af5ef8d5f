import { answer, type Request } from "@collect/bus";
import {
  countMinutes,
  getLedgerProof,
  listAuditedReversals,
  listPostedMinutes,
  listReceived,
  listTransferBookings,
  type Result,
  ROWS_MAX,
  readTransferBookings,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { headroomDifferences } from "../domain/headroom.ts";
import { firstDistinct, ledgerParts, sumDifferences } from "../domain/proof.ts";
import { readProgress } from "../store/audit-progress.ts";
import { readFullAccounts } from "../store/headroom.ts";
import { postedMinutes, received } from "../store/received-minutes.ts";
import { auditedReversals } from "../store/reversals.ts";
import { pageOfBookings, readBookings } from "../store/transfer-bookings.ts";

/** The ledger's proof of itself, and its records for the services that compare theirs with them. */
export function auditRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(getLedgerProof, async (): Promise<Result<typeof getLedgerProof>> => {
      const [progress, full] = await Promise.all([readProgress(pool), readFullAccounts(pool)]);
      const { modes, differences, last_differences, last_round_at, last_round, this_round, proven_at } = progress;
      const sums = [...sumDifferences(modes), ...headroomDifferences(full)];
      const recent = firstDistinct([...progress.recent_differences, ...progress.recent_before]);
      const round = firstDistinct([...differences, ...last_differences]);
      const all = firstDistinct([...sums, ...recent, ...round]);
      return {
        proven_at,
        holds: all.length === 0,
        modes: modes.map((mode) => ({ ...mode, sum: BigInt(mode.sum) })),
        entries: { last_round_at, last_round: Number(last_round), this_round: Number(this_round) },
        differences: all,
        parts: ledgerParts({ ...progress, sums, recent, round }),
      };
    }),
    answer(countMinutes.ledger, async (span) => ({ minutes: await received.minutes(pool, span) })),
    answer(listReceived.ledger, async (span) => ({ rows: await received.rows(pool, { ...span, limit: ROWS_MAX }) })),
    answer(listAuditedReversals.ledger, async (page) => ({ reversals: await auditedReversals(pool, page) })),
    answer(listPostedMinutes, ({ after }) => postedMinutes(pool, after)),
    answer(readTransferBookings, async ({ transfer_ids }) => ({ transfers: await readBookings(pool, transfer_ids) })),
    answer(listTransferBookings, async ({ after }) => ({ transfers: await pageOfBookings(pool, after) })),
  ];
}
