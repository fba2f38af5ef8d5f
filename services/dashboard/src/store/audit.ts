import type { Actor, Mode } from "@collect/contracts";
import { columns, type Pool, type Session, statement } from "@collect/database";

/**
 * The outbox of the audit log: what is done in this database is recorded in the same transaction, and sent to the gateway,
 * which keeps the log, until it has it.
 */
export type OutboxRow = {
  id: bigint;
  key: string;
  at: string;
  merchant_id: string | null;
  user_id: string | null;
  email: string | null;
  actor: unknown;
  action: string;
  detail: Record<string, unknown>;
  mode: Mode | null;
  outcome: "done" | "refused" | "unknown";
  request_id: string;
};

type Act = {
  actor: Actor;
  action: string;
  detail: object;
  outcome: "done" | "refused";
  requestId: string;
};

const insert = statement(`
  insert into audit_log (merchant_id, actor, action, detail, outcome, request_id) values ($1, $2, $3, $4, $5, $6)`);

/** Records an act about a merchant, in its own transaction. */
export async function noteAct(session: Session, { merchantId, ...act }: Act & { merchantId: string }): Promise<void> {
  await insert(session, [merchantId, ...valuesOf(act)]);
}

/** Once for each team that the user is in, whose owners see it; for none if the user is in none. */
const insertForUser = statement(`
  insert into audit_log (merchant_id, actor, action, detail, outcome, request_id, user_id)
  select m.merchant_id, coalesce($2::jsonb, jsonb_build_object('kind', 'member', 'user_id', u.id, 'email', u.email)), $3, $4, $5, $6, u.id
  from users u left join members m on m.user_id = u.id where u.id = $1 or u.email = $7`);

type OfUser = Omit<Act, "actor"> & { actor: Actor | "the user" } & ({ userId: string } | { email: string });

/** Records an act about a user, such as a sign-in. Nothing is recorded for an unknown address. */
export async function noteActOfUser(session: Session, act: OfUser): Promise<void> {
  const { actor, ...rest } = act;
  const [userId, email] = "userId" in act ? [act.userId, null] : [null, act.email];
  const values = valuesOf({ ...rest, actor: actor === "the user" ? null : actor });
  await insertForUser(session, [userId, ...values, email]);
}

const valuesOf = ({ actor, action, detail, outcome, requestId }: Omit<Act, "actor"> & { actor: Actor | null }) => [
  ...[actor, action, detail, outcome],
  requestId.slice(0, 100),
];

/** Those of the previous release without an outcome get a minute to learn it. */
const next = statement<OutboxRow>(`
  select a.id, a.key, a.at, a.merchant_id, a.user_id, u.email, a.actor, a.action, a.detail, a.mode, a.outcome, a.request_id
  from audit_log a left join users u on u.id = a.user_id
  where a.copied_at is null and (a.outcome <> 'unknown' or a.at < clock_timestamp() - interval '1 minute')
  order by a.id limit $1`);
const setCopied = statement(
  "update audit_log set copied_at = clock_timestamp() where id in (select id from unnest($1::bigint[]) as copied (id))",
);

export const nextInOutbox = (pool: Pool, rows: number): Promise<OutboxRow[]> => next(pool, [rows]);

export const noteCopied = async (pool: Pool, rows: OutboxRow[]) => void (await setCopied(pool, columns(rows, "id")));
