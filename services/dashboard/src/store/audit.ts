import type { Mode } from "@collect/contracts";
import { type Pool, type Session, statement } from "@collect/database";

export type AuditRow = {
  id: bigint;
  at: string;
  name: string | null;
  email: string | null;
  action: string;
  detail: Record<string, unknown>;
  mode: Mode | null;
  outcome: "done" | "refused" | "unknown";
};

const insert = statement<{ id: bigint }>(`
  insert into audit_log (merchant_id, mode, user_id, action, detail, outcome, request_id)
  values ($1, $2, $3, $4, $5, $6, $7) returning id`);

/** Records an action. Its outcome is `unknown` until `noteOutcome`, unless the entry is written in the action's own transaction. */
export async function noteAct(
  session: Session,
  act: {
    merchantId: string;
    mode: Mode | null;
    userId: string | null;
    action: string;
    detail: object;
    outcome?: AuditRow["outcome"];
    requestId: string;
  },
): Promise<bigint> {
  const { merchantId, mode, userId, action, detail, outcome = "unknown", requestId } = act;
  const [entry] = await insert(session, [merchantId, mode, userId, action, detail, outcome, requestId.slice(0, 100)]);
  if (!entry) throw new Error("an act was not noted");
  return entry.id;
}

const setOutcome = statement("update audit_log set outcome = $2 where id = $1 and outcome = 'unknown'");

export const noteOutcome = async (pool: Pool, id: bigint, outcome: "done" | "refused") =>
  void (await setOutcome(pool, [id, outcome]));

const ROWS = `
  select a.id, a.at, u.name, u.email, a.action, a.detail, a.mode, a.outcome
  from audit_log a left join users u on u.id = a.user_id where a.merchant_id = $1`;
const first = statement<AuditRow>(`${ROWS} order by a.id desc limit $2`);
const following = statement<AuditRow>(`${ROWS} and a.id < $3::bigint order by a.id desc limit $2`);

/** Both modes together, because the audit log is complete. Reads one row more than the limit, to know whether there are more. */
export function listActs(
  pool: Pool,
  { merchantId, limit, after }: { merchantId: string; limit: number; after: string | undefined },
): Promise<AuditRow[]> {
  return after === undefined ? first(pool, [merchantId, limit + 1]) : following(pool, [merchantId, limit + 1, after]);
}
