import { columns, query, type Session, statement } from "@collect/database";

type Settlement = { intakeIds: string[]; settlementId: string };

/** What a partner says of a transfer in its notice of a settlement. */
export type Settled = {
  intakeId: string;
  bankTransferId: string;
  /** Null where the notice does not say. */
  amount: bigint | null;
  reservation: string | null;
};

type Notice = { settled: Settled[]; bank: string; settlementId: string; askAfterMs: number | null };

const insert = query<{ intake_id: string }>(`
  insert into settled_transfers (intake_id, bank, settlement_id, bank_transfer_id, amount, reservation, ask_at)
  select intake_id, $5, $6, bank_transfer_id, amount, reservation,
    case when not exists (select from inbound_transfers reported where reported.intake_id = settled.intake_id)
      then now() + $7::double precision * interval '1 millisecond' end
  from unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) as settled (intake_id, bank_transfer_id, amount, reservation)
  order by intake_id
  on conflict (intake_id) do nothing returning intake_id`);
/**
 * Returns how many of the transfers were in no settlement. A concurrent notice of the same ones is waited for. Those that are not reported yet are
 * due to be asked for after `askAfterMs`; null where the partner cannot be asked.
 */
export const insertSettled = async (tx: Session, { settled, bank, settlementId, askAfterMs }: Notice) =>
  (
    await insert(tx, [
      ...columns(settled, "intakeId", "bankTransferId", "amount", "reservation"),
      ...[bank, settlementId, askAfterMs],
    ])
  ).length;

const elsewhere = query<{ intake_id: string }>(`
  select intake_id from settled_transfers where intake_id = any($1::text[]) and settlement_id <> $2 order by intake_id`);
/** Those that are in another settlement. */
export const settledElsewhere = async (tx: Session, { intakeIds, settlementId }: Settlement): Promise<string[]> =>
  (await elsewhere(tx, [intakeIds, settlementId])).map(({ intake_id }) => intake_id);

export type DueTransfer = Settled & { bank: string; settlementId: string; isReported: boolean };

const claim = statement<DueTransfer>(`
  with due as (
    select s.intake_id, exists (select from inbound_transfers t where t.intake_id = s.intake_id) as is_reported
    from settled_transfers s where s.ask_at <= now() and s.bank = any($1::text[])
    order by s.ask_at limit $2 for update of s skip locked
  )
  update settled_transfers s set
    asks = case when due.is_reported then s.asks else s.asks + 1 end,
    ask_at = case when not due.is_reported
      then now() + least($3 * power(2, least(s.asks, 20)), $4) * interval '1 millisecond' end
  from due where due.intake_id = s.intake_id
  returning s.intake_id as "intakeId", s.bank, s.settlement_id as "settlementId", s.bank_transfer_id as "bankTransferId", s.amount, s.reservation,
    due.is_reported as "isReported"`);

/**
 * Claims what is due, the longest due first. What was reported by now is ended. The partner is asked for the rest, again after `firstWaitMs`,
 * doubling to `longestWaitMs`, until it is known what became of it: so no other replica asks for the same meanwhile.
 */
export const claimDueTransfers = (
  pool: Session,
  { banks, limit, firstWaitMs, longestWaitMs }: { banks: string[]; limit: number } & Waits,
): Promise<DueTransfer[]> => claim(pool, [banks, limit, firstWaitMs, longestWaitMs]);
export type Waits = { firstWaitMs: number; longestWaitMs: number };

const end = statement<{ intake_id: string }>(`
  with ended as (
    select intake_id from settled_transfers where intake_id = any($1::text[]) and ask_at is not null order by intake_id for update
  )
  update settled_transfers s set ask_at = null from ended where s.intake_id = ended.intake_id returning s.intake_id`);
/** They are asked for no more. Returns those that were until now. */
export const endAsking = async (tx: Session, intakeIds: string[]): Promise<Set<string>> =>
  new Set((await end(tx, [intakeIds])).map(({ intake_id }) => intake_id));

const unknown = query<{ bank: string; count: number }>(`
  select bank, count(*)::integer as count from (
    select bank from settled_transfers where ask_at is not null and noticed_at < now() - $1::double precision * interval '1 millisecond' limit $2
  ) as due group by bank`);
/** Of how many transfers of each partner it is not known what became of them so long after their settlement was noticed; counted up to a limit. */
export const countUnknown = (pool: Session, { afterMs, limit }: { afterMs: number; limit: number }) =>
  unknown(pool, [afterMs, limit]);
