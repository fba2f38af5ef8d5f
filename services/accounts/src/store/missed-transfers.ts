import { columns, query, type Session } from "@collect/database";
import type { ReportedTransfer } from "../domain/intake.ts";

type Transfer = Pick<ReportedTransfer, "bank" | "sessionId"> & { intakeId: string };

const offer = query<{ holder: string }>("select offer_session($1, $2, $3) as holder");
/**
 * From now on the session is credited under this intake id only. Returns the intake id that has it: another one, if it was reported or
 * offered under that.
 */
export async function claimSession(pool: Session, { bank, sessionId, intakeId }: Transfer): Promise<string> {
  if (!sessionId) return intakeId;
  const [row] = await offer(pool, [bank, sessionId, intakeId]);
  if (!row) throw new Error("a function returned no row");
  return row.holder;
}

const remove = query("delete from missed_transfers where bank = $1 and session_id = $2 and intake_id = $3");
/** The session may be credited under another id. */
export const releaseSession = (tx: Session, { bank, sessionId, intakeId }: Transfer) =>
  remove(tx, [bank, sessionId, intakeId]);

const restore = query(`
  insert into missed_transfers (bank, session_id, intake_id)
  select * from unnest($1::text[], $2::text[], $3::text[]) as offered (bank, session_id, intake_id) where session_id <> ''
  order by bank, session_id on conflict (bank, session_id) do nothing`);
/** Sessions that were offered before a restore. What was reported of them since may have been credited under both ids. */
export const restoreSessions = (tx: Session, offered: Transfer[]) =>
  restore(tx, columns(offered, "bank", "sessionId", "intakeId"));
