import type { Pool } from "@collect/database";
import { type Session, statement, type Transaction } from "@collect/database";

export type ProposalRow = {
  proposal_id: string;
  subject: string;
  body: string;
  proposed_by: string;
  proposed_at: string;
  expires_at: string;
  state: "waiting" | "approved" | "cancelled" | "expired";
  decided_by: string | null;
};

const COLUMNS = `id as proposal_id, subject, body, proposed_by, proposed_at, expires_at, decided_by,
  case when state = 'waiting' and expires_at <= clock_timestamp() then 'expired' else state end as state`;

const insert = statement(`
  insert into proposals (id, subject, body, proposed_by, expires_at)
  values ($1, $2, $3, $4, clock_timestamp() + interval '24 hours')`);

type NewProposal = Pick<ProposalRow, "proposal_id" | "subject" | "body" | "proposed_by">;

export async function insertProposal(tx: Transaction, { proposal_id, subject, body, proposed_by }: NewProposal) {
  await insert(tx, [proposal_id, subject, body, proposed_by]);
}

const byId = statement<ProposalRow>(`select ${COLUMNS} from proposals where id = $1`);
const lockById = statement<ProposalRow>(`select ${COLUMNS} from proposals where id = $1 for update`);
const newest = statement<ProposalRow>(`select ${COLUMNS} from proposals order by proposed_at desc, id limit 100`);
const decide = statement(
  "update proposals set state = $2, decided_by = $3, decided_at = clock_timestamp() where id = $1",
);

export async function findProposal(session: Session, id: string): Promise<ProposalRow | undefined> {
  return (await byId(session, [id]))[0];
}

/** Of two operators who decide at once, the second one sees what the first decided. */
export async function lockProposal(tx: Transaction, id: string): Promise<ProposalRow | undefined> {
  return (await lockById(tx, [id]))[0];
}

export const listProposals = (pool: Pool) => newest(pool);

export async function decideProposal(tx: Transaction, id: string, state: "approved" | "cancelled", by: string) {
  await decide(tx, [id, state, by]);
}
