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

const remove = query(`
  delete from missed_transfers as offered where intake_id = $1 and not exists (
    select from inbound_transfers as credited where credited.intake_id = offered.intake_id and credited.session_id = offered.session_id
  )`);
/**
 * The session of the offer, as its line or the partner named it, may be credited under another id. One that was credited under this id, of
 * another line, may not.
 */
export const releaseSessions = (tx: Session, intakeId: string) => remove(tx, [intakeId]);

const restore = query(`
  insert into missed_transfers (bank, session_id, intake_id)
  select * from unnest($1::text[], $2::text[], $3::text[]) as offered (bank, session_id, intake_id) where session_id <> ''
  order by bank, session_id on conflict (bank, session_id) do nothing`);
/** Sessions that were offered before a restore. What was reported of them since may have been credited under both ids. */
export const restoreSessions = (tx: Session, offered: Transfer[]) =>
  restore(tx, columns(offered, "bank", "sessionId", "intakeId"));
