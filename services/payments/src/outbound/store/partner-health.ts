import { type Pool, query } from "@collect/database";

/**
 * What the rows of transfers and name enquiries say about the partner banks. Each statement reads an index by time, newest first,
 * and at most this many rows of it, of both modes, since the modes share the index. (With the day as a condition of the scan,
 * PostgreSQL could read and sort the whole day.)
 */
const READ_MAX = 5_000;
/** When the rows that were read begin: a day ago, or later if there are more. */
const since = (at: string) =>
  `greatest(now() - interval '1 day', case when count(*) = ${READ_MAX} then min(${at}) end)`;
/** Of a bank's own codes, the most frequent. */
const CODES_MAX = 50;

type Unanswered = { count: number; sum: bigint; oldestSentAt: string | null; hour: number; day: number; now: string };

const COUNTED = `count(amount)::integer as count, coalesce(sum(amount), 0)::bigint as sum, min(sent_at) as "oldestSentAt",
    (count(*) filter (where sent_at >= now() - interval '1 hour'))::integer as hour,
    (count(*) filter (where sent_at >= now() - interval '1 day'))::integer as day, now() as now`;

/** From the index of unfinished transfers. */
const WAITING = `select partner, amount, sent_at from transfers where mode = 'live' and step = 'sending' order by created_at limit ${READ_MAX}`;

const unanswered = query<Unanswered>(`select ${COUNTED} from (${WAITING}) as waiting`);

/** Of all partners, whether or not they are configured. */
export async function readUnanswered(pool: Pool): Promise<Unanswered> {
  const [row] = await unanswered(pool);
  if (!row) throw new Error("an aggregate returned no row");
  return row;
}

const unansweredOf = query<Unanswered & { partner: string }>(`
  select each.partner, ${COUNTED}
  from unnest($1::text[]) as each (partner) left join (${WAITING}) as waiting on coalesce(waiting.partner, $2) = each.partner
  group by each.partner`);

/** One row for each of the partners. What was sent before partners were stored is the default one's. */
export const readUnansweredOf = (pool: Pool, partners: string[], standard: string) =>
  unansweredOf(pool, [partners, standard]);

/**
 * How many payouts of a partner ended so, when the last did, and since when they are counted. Without a partner and an end, nothing
 * was answered.
 */
export type Answered = {
  since: string;
  partner: string | null;
  end: "success" | "failed" | "reversed" | null;
  code: string | null;
  hour: number;
  day: number;
  lastAt: string | null;
};

/** A transfer is touched when its step changes, so the last answer is not older. What was not approved was never sent. */
const answered = query<Answered>(`
  with changed as materialized (
    select coalesce(partner, $1) as partner, mode, step, verdict, failure_code, sent_at, touched_at, completed_at, reversed_at from transfers
    where touched_at is not null order by touched_at desc limit ${READ_MAX}
  ), answers as (
    select partner, verdict as end, case when verdict = 'failed' then failure_code end as code,
      case when step = 'decided' then touched_at else coalesce(reversed_at, completed_at) end as at
    from changed where mode = 'live' and verdict is not null and sent_at is not null
  ), counted as (
    select partner, "end", code, (count(*) filter (where at >= now() - interval '1 hour'))::integer as hour, count(*)::integer as day,
      max(at) as "lastAt"
    from answers where at >= now() - interval '1 day' group by partner, "end", code order by "end" = 'failed', day desc limit ${CODES_MAX}
  )
  select since, partner, "end", code, coalesce(hour, 0) as hour, coalesce(day, 0) as day, "lastAt" from (
    select ${since("touched_at")} as since from changed
  ) as span left join counted on true`);

export const readAnswered = (pool: Pool, standard: string): Promise<Answered[]> => answered(pool, [standard]);

type Outcomes = { named: number; unresolved: number; failed: number };
type Enquiries = { since: string; lastNamedAt: string | null; hour: Outcomes; day: Outcomes };

const outcomes = (span: string) =>
  `jsonb_build_object(${["named", "unresolved", "failed"]
    .map((answer) => `'${answer}', count(*) filter (where answer = '${answer}' and is_live and created_at >= ${span})`)
    .join(", ")})`;

const enquiries = query<Enquiries>(`
  select ${since("created_at")} as since,
    max(created_at) filter (where answer = 'named' and is_live and created_at >= now() - interval '1 day') as "lastNamedAt",
    ${outcomes("now() - interval '1 hour'")} as hour, ${outcomes("now() - interval '1 day'")} as day
  from (
    select mode = 'live' as is_live, answer, created_at from account_enquiries
    order by created_at desc limit ${READ_MAX}
  ) as recent`);

export async function readEnquiries(pool: Pool): Promise<Enquiries> {
  const [row] = await enquiries(pool);
  if (!row) throw new Error("an aggregate returned no row");
  return row;
}
