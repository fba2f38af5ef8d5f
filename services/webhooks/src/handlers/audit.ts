import { answer, type Request } from "@collect/bus";
import { countMinutes, listAuditedReversals, listReceived, ROWS_MAX } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { auditedReversals } from "../store/audited-reversals.ts";
import { received } from "../store/received-minutes.ts";

/** Counts and rows of received money, which the self-audit compares between services. */
export function auditRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(countMinutes.webhooks, async (span) => ({ minutes: await received.minutes(pool, span) })),
    answer(listAuditedReversals.webhooks, async (page) => ({ reversals: await auditedReversals(pool, page) })),
    answer(listReceived.webhooks, async (span) => ({ rows: await received.rows(pool, { ...span, limit: ROWS_MAX }) })),
  ];
}
