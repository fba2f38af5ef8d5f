import { answer, type Request } from "@collect/bus";
import { countMinutes } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { countReceived } from "../store/received-minutes.ts";

/** What the self-audit compares between the stages of the path. */
export function auditRequests({ pool }: { pool: Pool }): Request[] {
  return [answer(countMinutes.webhooks, async (span) => ({ minutes: await countReceived(pool, span) }))];
}
