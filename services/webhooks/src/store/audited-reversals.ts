import { AUDITED_REVERSALS_MAX, type AuditedReversal } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";
import { reversedKey } from "../domain/event.ts";

const PREFIX = reversedKey("");

const audited = statement<AuditedReversal>(`
  select substr(key, ${PREFIX.length + 1}) as reversal_id, 'reversal' as kind, merchant_id, mode, amount_kobo as amount from events
  where kind = 'collection.reversed' and key collate "C" > $1 and key collate "C" <= coalesce($2, '${PREFIX}~')
  order by key collate "C" limit ${AUDITED_REVERSALS_MAX}`);

/** The events of reversals whose ids are after one and up to another, for the audit. */
export const auditedReversals = (pool: Pool, { after, up_to }: { after: string; up_to: string | null }) =>
  audited(pool, [PREFIX + after, up_to === null ? null : PREFIX + up_to]);
