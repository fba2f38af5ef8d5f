import { columns, query, type Session } from "@collect/database";
import type { ReportedTransfer } from "../domain/intake.ts";

type Transfer = Pick<ReportedTransfer, "bank" | "mode" | "type" | "sessionId"> & { intakeId: string };

const insert = query(`
  insert into missed_transfers (bank, session_id, intake_id) values ($1, $2, $3) on conflict (bank, session_id) do nothing`);
const read = query<{ bank: string; session_id: string; intake_id: string }>(`
  select bank, session_id, intake_id from missed_transfers
  join unnest($1::text[], $2::text[]) as given (bank, session_id) using (bank, session_id)`);

/** Keeps under which intake id a session is credited; false if it is another one. */
export async function claimSession(pool: Session, { bank, sessionId, intakeId }: Transfer): Promise<boolean> {
  if (!sessionId) return true;
  await insert(pool, [bank, sessionId, intakeId]);
  const [row] = await read(pool, [[bank], [sessionId]]);
  return row?.intake_id === intakeId;
}

const remove = query("delete from missed_transfers where bank = $1 and session_id = $2 and intake_id = $3");
/** The session may be credited under another id. */
export const releaseSession = (
  tx: Session,
  { bank, sessionId, intakeId }: Pick<Transfer, "bank" | "sessionId" | "intakeId">,
) => remove(tx, [bank, sessionId, intakeId]);

/** The intake ids of those credits whose session is credited under another one. */
export async function claimedElsewhere(pool: Session, transfers: Transfer[]): Promise<Set<string>> {
  const named = transfers.filter(({ mode, type, sessionId }) => mode === "live" && type === "credit" && sessionId);
  if (named.length === 0) return new Set();
  const rows = await read(pool, columns(named, "bank", "sessionId"));
  const claims = new Map(rows.map((row) => [`${row.bank} ${row.session_id}`, row.intake_id]));
  const isElsewhere = ({ bank, sessionId, intakeId }: Transfer) =>
    (claims.get(`${bank} ${sessionId}`) ?? intakeId) !== intakeId;
  return new Set(named.filter(isElsewhere).map(({ intakeId }) => intakeId));
}
