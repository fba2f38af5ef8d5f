import { decodeCursor, foreignCursor, type MerchantScope } from "@collect/contracts";
import { type Pool, query } from "@collect/database";
import { z } from "zod";
import { collected } from "../domain/account.ts";
import type { Settlement } from "./settlements.ts";

const COLUMNS =
  "reference, merchant_id, mode, cut_off, from_version, to_version, amount, transaction_id::text, created_at";

/** `place` is the cut-off to the microsecond, the sort key of the settlements of one merchant and mode. */
type Placed = Settlement & { place: string };

const MATCHING = `merchant_id = $1 and mode = $2 and ($3::timestamptz is null or created_at >= $3)
    and ($4::timestamptz is null or created_at < $4) and ($5::bigint is null or amount >= $5) and ($6::bigint is null or amount <= $6)
    and ($7::text[] is null or reference = any($7)) and ($8::text is null
      or (reference >= $8 and reference < $8 || chr(1114111) and starts_with(reference, $8)))`;

const list = query<Placed>(`
  select ${COLUMNS}, to_char(cut_off at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') as place
  from settlements
  where ${MATCHING} and ($9::timestamptz is null or cut_off < $9)
  order by cut_off desc limit $10`);

export type SettlementFilter = Partial<{
  /** It was created in [from, before): the date that a person sees. It can be long after the cut-off. */
  from: string | undefined;
  before: string | undefined;
  /** Both included. */
  amountFrom: bigint | undefined;
  amountTo: bigint | undefined;
  references: string[] | undefined;
  /** How the reference begins. */
  search: string | undefined;
}>;

const parametersOf = (merchant: MerchantScope, filter: SettlementFilter) => {
  const { from, before, amountFrom, amountTo, references, search } = filter;
  return [merchant.id, merchant.mode, from, before, amountFrom, amountTo, references, search];
};

/** A page of settlements, the latest cut-off first. A merchant has one a day, so all of them are read where few match. */
export function listSettlements(
  pool: Pool,
  merchant: MerchantScope,
  { filter, after, limit }: { filter: SettlementFilter; after: string | undefined; limit: number },
): Promise<Placed[]> {
  return list(pool, [...parametersOf(merchant, filter), after, limit]);
}

/** As many as are counted and summed. */
const SUMMED_MAX = 10_000;

const sum = query<{ count: number; amount: bigint }>(`
  select count(*)::integer as count, coalesce(sum(amount), 0)::bigint as amount
  from (select amount from settlements where ${MATCHING} limit ${SUMMED_MAX + 1}) as matching`);

/** What a list of settlements comes to; undefined if it is longer than what is summed. */
export async function sumSettlements(pool: Pool, merchant: MerchantScope, filter: SettlementFilter) {
  const [sums] = await sum(pool, parametersOf(merchant, filter));
  return sums && sums.count <= SUMMED_MAX ? sums : undefined;
}

const find = query<Settlement>(
  `select ${COLUMNS} from settlements where reference = $1 and merchant_id = $2 and mode = $3`,
);
export async function findSettlement(
  pool: Pool,
  merchant: MerchantScope,
  reference: string,
): Promise<Settlement | undefined> {
  const [settlement] = await find(pool, [reference, merchant.id, merchant.mode]);
  return settlement;
}

/** Where a page of lines ended: the version of its last entry. */
export const Version = z.string().regex(/^\d{1,18}$/);

export type Line = {
  /** The intake id: of what was allocated later, too. It means nothing for a cover. */
  key: string;
  kind: string;
  gross: bigint;
  fee: bigint;
  amount: bigint;
  version: bigint;
  recorded_at: string;
};

// A credit to Collected is owed to the merchant and shown as positive, what the bank took back as negative; both are known by the credit. Entries of settlements that ran late can lie within
// the range of a later settlement; they are not lines of it.
const LINES = `
  select split_part(t.key, ':', 1) as key, t.kind, sign(-e.amount)::bigint * t.amount as gross, sign(-e.amount)::bigint * t.fee as fee,
    -e.amount as amount, e.account_version as version, e.recorded_at
  from entries e join transactions t on t.id = e.transaction_id
  where e.account_id = $1 and e.account_version > $2 and e.account_version <= $3 and t.kind <> 'settlement'`;

const lines = query<Line>(`${LINES} order by e.account_version limit $4`);

/** The version in a cursor of a settlement's lines. No other settlement of the merchant has it, so another's cursor is refused. */
export function lineOf({ from_version, to_version }: Settlement, cursor: string | undefined): bigint {
  const [version] = decodeCursor(cursor, [Version]) ?? [];
  if (version === undefined) return from_version;
  const line = BigInt(version);
  if (line <= from_version || line > to_version) throw foreignCursor();
  return line;
}

/** The entries of Collected that a settlement moved, after the version `after`, in version order. */
export function listLines(
  pool: Pool,
  { merchant_id, mode, to_version }: Settlement,
  { after, limit }: { after: bigint; limit: number },
): Promise<Line[]> {
  return lines(pool, [collected({ id: merchant_id, mode }), after, to_version, limit]);
}

/** What lines come to. */
export type LineSums = { gross: bigint; fee: bigint; covered: bigint; amount: bigint };

const sums = query<LineSums>(`
  select coalesce(sum(gross) filter (where kind <> 'cover'), 0)::bigint as gross, coalesce(sum(fee), 0)::bigint as fee,
    coalesce(sum(amount) filter (where kind = 'cover'), 0)::bigint as covered, coalesce(sum(amount), 0)::bigint as amount
  from (${LINES}) as line`);

const SUMMED = 50_000n;

/**
 * The sums of the lines between two versions, some at a time: a settlement can have a million. 150,000 took 0.6 s on two cores that
 * others used.
 */
export async function sumLines(pool: Pool, merchant: MerchantScope, [from, to]: [bigint, bigint]): Promise<LineSums> {
  let [gross, fee, covered, amount] = [0n, 0n, 0n, 0n];
  for (let low = from; low < to; low += SUMMED) {
    const high = low + SUMMED < to ? low + SUMMED : to;
    for (const part of await sums(pool, [collected(merchant), low, high])) {
      gross += part.gross;
      fee += part.fee;
      covered += part.covered;
      amount += part.amount;
    }
  }
  return { gross, fee, covered, amount };
}

// Settlements follow each other without a gap, so the first one that reaches an entry settled it. Its own entry comes after.
const ofCollections = query<{ intake_id: string; reference: string }>(`
  select split_part(t.key, ':', 1) as intake_id, s.reference
  from transactions t
  join entries e on e.transaction_id = t.id and e.account_id = $3
  cross join lateral (
    select reference from settlements
    where merchant_id = $1 and mode = $2 and entry_version > e.account_version and to_version >= e.account_version
    order by entry_version limit 1) s
  where t.key = any($4::text[])`);

/** The settlements of a merchant's collections; those that are not settled are absent. */
export function settlementsOf(pool: Pool, merchant: MerchantScope, intakeIds: string[]) {
  const keys = intakeIds.flatMap((intakeId) => [intakeId, `${intakeId}:allocated`]);
  return ofCollections(pool, [merchant.id, merchant.mode, collected(merchant), keys]);
}

const lastSettled = query<{ to_version: bigint }>(
  "select to_version from settlements where merchant_id = $1 and mode = $2 order by cut_off desc limit 1",
);

const between = query<{ intake_id: string; version: bigint }>(`
  select split_part(t.key, ':', 1) as intake_id, e.account_version as version
  from entries e join transactions t on t.id = e.transaction_id
  where e.account_id = $1 and e.account_version > $2 and e.account_version < $3 and t.kind in ('collection', 'allocation')
  order by e.account_version desc limit $4`);

/** The collections that are settled, or those that are not yet, before a version; a settlement settles every version up to its last. */
export async function listCollected(
  pool: Pool,
  merchant: MerchantScope,
  { isSettled, before, limit }: { isSettled: boolean; before: bigint | undefined; limit: number },
) {
  const [last] = await lastSettled(pool, [merchant.id, merchant.mode]);
  const settled = last?.to_version ?? 0n;
  const end = isSettled ? settled + 1n : MAX_VERSION;
  const until = before !== undefined && before < end ? before : end;
  return between(pool, [collected(merchant), isSettled ? 0n : settled, until, limit]);
}

const MAX_VERSION = 2n ** 63n - 1n;
