import { query, type Session } from "@collect/database";

type Settlement = { intakeIds: string[]; settlementId: string };

const insert = query<{ intake_id: string }>(`
  insert into settled_transfers (intake_id, bank, settlement_id)
  select intake_id, $2, $3 from unnest($1::text[]) as settled (intake_id) order by intake_id
  on conflict (intake_id) do nothing returning intake_id`);
/** Returns how many of the transfers were in no settlement. A concurrent notice of the same ones is waited for. */
export const insertSettled = async (tx: Session, { intakeIds, bank, settlementId }: Settlement & { bank: string }) =>
  (await insert(tx, [intakeIds, bank, settlementId])).length;

const elsewhere = query<{ intake_id: string }>(`
  select intake_id from settled_transfers where intake_id = any($1::text[]) and settlement_id <> $2 order by intake_id`);
/** Those that are in another settlement. */
export const settledElsewhere = async (tx: Session, { intakeIds, settlementId }: Settlement): Promise<string[]> =>
  (await elsewhere(tx, [intakeIds, settlementId])).map(({ intake_id }) => intake_id);
