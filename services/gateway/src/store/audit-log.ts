import { randomBytes } from "node:crypto";
import type { AuditedAct, ChainedEntry, EntryRef } from "@collect/contracts";
import { columns, type Pool, query, type Session, statement, type Transaction } from "@collect/database";
import { type ActorColumns, chained, chainOf, type NewEntry, NO_ENTRIES } from "../domain/audit-chain.ts";

/** A chain has one writer at a time, who reads its end after the previous one has committed. */
const lockChain = statement("select pg_advisory_xact_lock(hashtextextended('audit ' || $1, 0))");
const readTail = statement<{ seq: bigint | null; hash: string | null; now: string }>(`
  select tail.seq, encode(tail.hash, 'hex') as hash, clock_timestamp() as now
  from (values (1)) as always left join lateral (
    select seq, hash from audit_entries where chain = $1 order by seq desc limit 1
  ) tail on true`);

const insertEntries = statement(`
  insert into audit_entries (chain, seq, key, merchant_id, mode, actor_kind, actor_id, actor_label, action, detail,
    outcome, about, request_id, client_request_id, at, previous, hash, ticket)
  select chain, seq, key, merchant_id, mode, actor_kind, actor_id, actor_label, action, detail,
    outcome, about, request_id, client_request_id, at, decode(previous, 'hex'), decode(hash, 'hex'), ticket
  from unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::text[], $12::bigint[], $13::text[], $14::text[], $15::timestamptz[], $16::text[], $17::text[],
    $18::text[])
    as entry (chain, seq, key, merchant_id, mode, actor_kind, actor_id, actor_label, action, detail,
      outcome, about, request_id, client_request_id, at, previous, hash, ticket)`);

const knownKeys = statement<{ key: string }>("select key from audit_entries where key = any ($1::text[])");
const openAct = statement<Pick<AuditedAct, "merchant_id" | "mode" | "action"> & ActorColumns>(`
  select merchant_id, mode, action, actor_kind, actor_id, actor_label from audit_entries act
  where chain = $1 and seq = $2 and ticket = $3 and about is null and outcome = 'unknown'
    and not exists (select from audit_entries outcome where outcome.chain = act.chain and outcome.about = act.seq)`);

/** Until the transaction ends nothing else is appended to the chain: what it contains can be decided on. */
export const holdChain = async (tx: Transaction, chain: string) => void (await lockChain(tx, [chain]));

const removals = statement<{ by: string; name: string; alone: boolean }>(`
  select act.actor_id as by, act.detail::jsonb ->> 'name' as name, not act.detail::jsonb ? 'proposal' as alone
  from audit_entries act left join audit_entries outcome on outcome.chain = act.chain and outcome.about = act.seq
  where act.chain = '' and act.at > clock_timestamp() - interval '24 hours' and act.action = $1 and act.about is null
    and act.actor_kind = 'operator' and outcome.outcome is distinct from 'refused'`);

/** Whom operators removed in the last 24 hours, and whether one of them did so alone. */
export const removalsLately = (tx: Transaction, action: string) => removals(tx, [action]);

/** Appends entries of one chain, in their order. Those whose key is known are skipped: they arrived before. */
export async function append(tx: Transaction, chain: string, entries: NewEntry[]): Promise<EntryRef[]> {
  await lockChain(tx, [chain]);
  const keys = entries.flatMap(({ key }) => key ?? []);
  const known = new Set(keys.length > 0 ? (await knownKeys(tx, [keys])).map(({ key }) => key) : []);
  const fresh = entries.filter(({ key }) => key === undefined || !known.has(key));
  if (fresh.length === 0) return [];
  const [end] = await readTail(tx, [chain]);
  if (!end) throw new Error("the end of a chain was not read");
  const tail = end.seq !== null && end.hash !== null ? { seq: end.seq, hash: end.hash } : NO_ENTRIES;
  const rows = chained(tail, fresh, end.now).map((row) => ({ ...row, ticket: randomBytes(16).toString("hex") }));
  await insertEntries(tx, columns(rows, ...COLUMNS));
  return rows.map(({ seq, ticket }) => ({ chain, seq, ticket }));
}

const COLUMNS = [
  ...(["chain", "seq", "key", "merchant_id", "mode", "actor_kind", "actor_id", "actor_label", "action"] as const),
  ...(["detail", "outcome", "about", "request_id", "client_request_id", "at", "previous", "hash", "ticket"] as const),
];

/** Records an act, before it is done. */
export async function recordAct(tx: Transaction, entry: NewEntry): Promise<EntryRef> {
  const [recorded] = await append(tx, chainOf(entry), [entry]);
  if (!recorded) throw new Error("an act was not recorded");
  return recorded;
}

type Conclusion = Pick<NewEntry, "requestId" | "clientRequestId" | "detail"> & { outcome: "done" | "refused" };

/**
 * Records the outcome of an act, in the name of its actor. The first one stays. Without the ticket that was given to the
 * service which recorded the act, nothing is recorded.
 */
export async function concludeAct(
  tx: Transaction,
  { chain, seq, ticket }: EntryRef,
  conclusion: Conclusion,
): Promise<void> {
  await lockChain(tx, [chain]);
  const [act] = await openAct(tx, [chain, seq, ticket ?? null]);
  if (!act) return;
  const { merchant_id, mode, action, ...actor } = act;
  await append(tx, chain, [{ ...conclusion, merchant_id, mode, action, actor, about: seq }]);
}

const admitted = statement<{ request_id: string }>(`
  select request_id from audit_entries
  where at between $1::timestamptz - interval '5 minutes' and $1::timestamptz + interval '5 minutes'
    and key like 'operator:%' and actor_id = $2 and action = $3 and request_id = $4 limit 1`);

/** Whether this operator's signature was admitted for such an act, under this request id, at about this time. */
export async function wasAdmitted(
  session: Session,
  { at, operator, action, requestId }: { at: string; operator: string; action: string; requestId: string },
): Promise<boolean> {
  return (await admitted(session, [at, operator, action, requestId])).length > 0;
}

export type BrowsedEntry = {
  chain: string;
  seq: bigint;
  merchant_id: string | null;
  at: string;
  mode: AuditedAct["mode"];
  actor_kind: string;
  actor_id: string | null;
  actor_label: string;
  action: string;
  detail: string;
  outcome: ChainedEntry["outcome"];
};

const BROWSED = `act.chain, act.seq, act.at, act.merchant_id, act.mode, act.actor_kind, act.actor_id, act.actor_label, act.action,
    act.detail, coalesce(outcome.outcome, act.outcome) as outcome
  from audit_entries act left join audit_entries outcome on outcome.chain = act.chain and outcome.about = act.seq`;
const page = statement<BrowsedEntry>(`
  select ${BROWSED}
  where act.chain = $1 and act.about is null and act.seq < coalesce($2::bigint, 9223372036854775807)
  order by act.seq desc limit $3`);

/** A merchant's acts with their outcomes, newest first. */
export const browseActs = (pool: Pool, merchantId: string, { before, rows }: { before?: string; rows: number }) =>
  page(pool, [merchantId, before ?? null, rows]);

const newest = statement<BrowsedEntry>(`
  select ${BROWSED}
  where act.about is null and act.at <= coalesce($1::timestamptz, 'infinity')
    and ($1::timestamptz is null or (act.at, act.chain, act.seq) < ($1, $2, $3::bigint))
  order by act.at desc, act.chain desc, act.seq desc limit $4`);

/** The acts of all chains with their outcomes, newest first. */
export const browseAllActs = (pool: Pool, { before, rows }: { before: EntryCursor | null; rows: number }) =>
  newest(pool, [before?.at ?? null, before?.chain ?? null, before?.seq ?? null, rows]);

const CHAINED = `chain, seq::text, key, merchant_id, mode, actor_kind, actor_id, actor_label, action, detail, outcome,
  about::text, request_id, client_request_id, at, encode(previous, 'hex') as previous, encode(hash, 'hex') as hash`;
const following = statement<ChainedEntry>(
  `select ${CHAINED} from audit_entries where chain = $1 and seq > $2 order by audit_entries.seq limit $3`,
);
const inSpan = query<ChainedEntry>(
  `select ${CHAINED} from audit_entries where chain = $1 and seq > $2 and at >= $4 and at < $5 order by audit_entries.seq limit $3`,
);

/** A chain's entries in their order, with everything that the hashes cover. */
export const chainAfter = (pool: Pool, { chain, seq, rows }: { chain: string; seq: string; rows: number }) =>
  following(pool, [chain, seq, rows]);

export const exportedEntries = (
  pool: Pool,
  { chain, seq, rows, from, to }: { chain: string; seq: string; rows: number; from: string; to: string },
) => inSpan(pool, [chain, seq, rows, from, to]);

const byTime = query<ChainedEntry>(`
  select ${CHAINED} from audit_entries
  where at >= coalesce($3::timestamptz, $1) and at < $2 and ($3::timestamptz is null or (at, chain, audit_entries.seq) > ($3, $4, $5::bigint))
  order by at, chain, audit_entries.seq limit $6`);

type EntryCursor = { at: string; chain: string; seq: string };

/** The entries of all chains by time: of what concerned any merchant, or none. */
export const allEntries = (
  pool: Pool,
  { from, to, after, rows }: { from: string; to: string; after: EntryCursor | null; rows: number },
) => byTime(pool, [from, to, after?.at ?? null, after?.chain ?? null, after?.seq ?? null, rows]);

export type WebhookActRow = Pick<ChainedEntry, "action" | "at"> &
  Pick<AuditedAct, "mode"> & { merchant_id: string; seq: string };
/** Recorded before they are done: one whose outcome is unknown may have been. Few rows of an index that has no others. */
const ofWebhooks = query<WebhookActRow>(`
  select act.merchant_id, act.mode, act.action, act.at, act.seq::text
  from audit_entries act left join audit_entries outcome on outcome.chain = act.chain and outcome.about = act.seq
  where act.action like 'webhook.%' and act.about is null and act.merchant_id is not null
    and act.at >= coalesce($2::timestamptz, $1) and coalesce(outcome.outcome, act.outcome) <> 'refused'
    and ($2::timestamptz is null or (act.at, act.chain, act.seq) > ($2, $3, $4::bigint))
  order by act.at, act.chain, act.seq limit $5`);

/** What was done with webhook endpoints since then, but for what was refused. */
export const webhookActs = (
  pool: Pool,
  { since, after, rows }: { since: string; after: EntryCursor | null; rows: number },
) => ofWebhooks(pool, [since, after?.at ?? null, after?.chain ?? null, after?.seq ?? null, rows]);

/** The next chains by name: each is found by its first entry. */
const nextChains = statement<{ chain: string }>(`
  select chain from audit_entries where seq = 1 and ($1::text is null or chain > $1) order by chain limit $2`);

export const chainsAfter = (pool: Pool, after: string | null, rows: number) => nextChains(pool, [after, rows]);

const movedHeads = statement<{ chain: string; seq: bigint; hash: string }>(`
  select distinct on (chain) chain, seq, encode(hash, 'hex') as hash from audit_entries
  where at >= $1 order by chain, seq desc limit $2`);

/** The ends of the chains that grew since then. */
export const headsSince = (pool: Pool, since: string, rows: number) => movedHeads(pool, [since, rows]);
