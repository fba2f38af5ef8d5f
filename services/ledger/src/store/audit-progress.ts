import { type Pool, statement, type Transaction } from "@collect/database";
import { type Difference, FIRST_STAGE, type ModeSum, type Stage } from "../domain/proof.ts";

/** The last entry, transaction and ledger account that this round has proven. */
export type Cursor = { account_id: string; account_version: bigint; transaction_id: bigint; ledger_account_id: string };

/** How far a round is, and what did not hold in it so far. It counts entries. */
export type Round = Cursor & { stage: Stage; this_round: bigint; modes: ModeSum[]; differences: Difference[] };

/** The present round and how the one before ended. */
export type Progress = Round & {
  last_round: bigint;
  last_round_at: string | null;
  last_differences: Difference[];
  proven_at: string | null;
};

const COLUMNS = `stage, account_id, account_version, transaction_id, ledger_account_id, this_round, modes, differences,
  last_round, last_round_at, last_differences, proven_at`;
const read = statement<Progress>(`select ${COLUMNS} from audit_progress`);
const take = statement<Progress>(`select ${COLUMNS} from audit_progress for update skip locked`);

export async function readProgress(pool: Pool): Promise<Progress> {
  const [progress] = await read(pool);
  if (!progress) throw new Error("audit_progress has lost its row");
  return progress;
}

/** The progress, to be continued in this transaction; nothing while another replica is at it. */
export async function takeProgress(tx: Transaction): Promise<Progress | undefined> {
  return (await take(tx))[0];
}

const write = statement(`
  update audit_progress set stage = $1, account_id = $2, account_version = $3, transaction_id = $4, ledger_account_id = $5,
    this_round = $6, modes = $7, differences = $8, proven_at = clock_timestamp()`);

export function continueRound(tx: Transaction, round: Round) {
  const { stage, account_id, account_version, transaction_id, ledger_account_id, this_round } = round;
  const cursor = [account_id, account_version, transaction_id, ledger_account_id];
  return write(tx, [stage, ...cursor, this_round, JSON.stringify(round.modes), JSON.stringify(round.differences)]);
}

const finish = statement(`
  update audit_progress set stage = $1, account_id = '', account_version = 0, transaction_id = 0, ledger_account_id = '',
    this_round = 0, last_round = $2, modes = $3, differences = '[]', last_differences = $4,
    last_round_at = clock_timestamp(), proven_at = clock_timestamp()`);

/** All is proven: the next round begins with the first entry again. */
export function finishRound(tx: Transaction, { this_round, modes, differences }: Round) {
  return finish(tx, [FIRST_STAGE, this_round, JSON.stringify(modes), JSON.stringify(differences)]);
}
