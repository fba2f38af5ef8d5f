import { type Pool, statement, type Transaction } from "@collect/database";
import { type Difference, FIRST_STAGE, type ModeSum, type Stage } from "../domain/proof.ts";

/** The last entry, transaction, ledger account and settlement that this round has proven. */
export type Cursor = {
  account_id: string;
  account_version: bigint;
  transaction_id: bigint;
  ledger_account_id: string;
  settlement: string;
};

/** The progress of a round in entries, and its differences so far. */
export type Round = Cursor & { stage: Stage; this_round: bigint; differences: Difference[] };

/** The current round and the result of the previous one. */
export type Progress = Round & {
  last_round: bigint;
  last_round_at: string | null;
  last_differences: Difference[];
  proven_at: string | null;
  proven_age_s: number | null;
  /** The last sums, and when they were taken. */
  modes: ModeSum[];
  sums_at: string | null;
  sums_age_s: number | null;
  /** The last transaction proven among recent postings, when it was posted, and when the last check caught up. */
  recent_id: bigint | null;
  recent_to: string | null;
  recent_at: string | null;
  recent_age_s: number | null;
  /** Differences among recent postings: since the current round began, and in the previous round. */
  recent_differences: Difference[];
  recent_before: Difference[];
};

const COLUMNS = `stage, account_id, account_version, transaction_id, ledger_account_id, settlement, this_round, modes,
  differences, last_round, last_round_at, last_differences, proven_at, recent_id, recent_to, recent_at, recent_differences,
  recent_before, sums_at, extract(epoch from clock_timestamp() - proven_at)::integer as proven_age_s,
  extract(epoch from clock_timestamp() - sums_at)::double precision as sums_age_s,
  extract(epoch from clock_timestamp() - recent_at)::integer as recent_age_s`;
const read = statement<Progress>(`select ${COLUMNS} from audit_progress`);
const take = statement<Progress>(`select ${COLUMNS} from audit_progress for update skip locked`);

export async function readProgress(pool: Pool): Promise<Progress> {
  const [progress] = await read(pool);
  if (!progress) throw new Error("audit_progress has lost its row");
  return progress;
}

const proofs = statement<{ part: "sums" | "recent" | "history"; age_s: number | null; differences: number }>(`
  select part, extract(epoch from clock_timestamp() - parts.proven_at)::double precision as age_s, parts.differences
  from audit_progress, lateral (values
    ('sums', sums_at, (select count(*)::integer from jsonb_array_elements(modes::jsonb) as one where one ->> 'sum' <> '0')),
    ('recent', recent_at, jsonb_array_length(recent_before::jsonb || recent_differences::jsonb)),
    ('history', last_round_at, jsonb_array_length(last_differences::jsonb || audit_progress.differences::jsonb))
  ) as parts (part, proven_at, differences)`);
/** The last proof of recent postings, and the last complete round, each with the differences that it and the next one found. */
export const readProofs = (pool: Pool) => proofs(pool);

/** Locks the progress for this transaction; undefined while another replica holds the lock. */
export async function takeProgress(tx: Transaction): Promise<Progress | undefined> {
  return (await take(tx))[0];
}

const write = statement(`
  update audit_progress set stage = $1, account_id = $2, account_version = $3, transaction_id = $4, ledger_account_id = $5,
    this_round = $6, differences = $7, settlement = $8, proven_at = clock_timestamp()`);

export function continueRound(tx: Transaction, round: Round) {
  const { stage, account_id, account_version, transaction_id, ledger_account_id, this_round } = round;
  const cursor = [account_id, account_version, transaction_id, ledger_account_id];
  return write(tx, [stage, ...cursor, this_round, JSON.stringify(round.differences), round.settlement]);
}

const finish = statement(`
  update audit_progress set stage = $1, account_id = '', account_version = 0, transaction_id = 0, ledger_account_id = '',
    settlement = '', this_round = 0, recent_before = recent_differences, recent_differences = '[]', last_round = $2, differences = '[]', last_differences = $3,
    last_round_at = clock_timestamp(), proven_at = clock_timestamp()`);

/** The round is complete: the next one starts again at the first entry. */
export function finishRound(tx: Transaction, { this_round, differences }: Round) {
  return finish(tx, [FIRST_STAGE, this_round, JSON.stringify(differences)]);
}

const sums = statement("update audit_progress set modes = $1, sums_at = clock_timestamp()");
export const storeSums = (tx: Transaction, modes: ModeSum[]) => sums(tx, [JSON.stringify(modes)]);

const advance = statement(`
  update audit_progress set recent_id = $1, recent_to = coalesce($2, recent_to), recent_differences = $3,
    recent_at = case when $4 then recent_at else clock_timestamp() end`);

type Recent = { recent_id: bigint; recent_to: string | null; differences: Difference[]; hasNext: boolean };

/** Recent postings are proven up to `recent_id`. While more remain, `recent_at` is not advanced, so the proof ages. */
export function storeRecent(tx: Transaction, { recent_id, recent_to, differences, hasNext }: Recent) {
  return advance(tx, [recent_id, recent_to, JSON.stringify(differences), hasNext]);
}
