import type { Session } from "./pool.ts";
import { statement } from "./statement.ts";

/**
 * SQL for the 64-bit digest of a row's fields. It is the hash of hash partitioning, which PostgreSQL therefore does not change
 * between versions. It detects accidents and manual changes, not a cryptographic attack.
 */
export const digestOf = (...fields: string[]): string =>
  `hashtextextended((${fields.map((field) => `coalesce((${field})::text, '')`).join(" || chr(31) || ")}) collate "C", 0)`;

/** `except` are intake ids by kind. Times are RFC 3339. */
export type ReceivedSpan = {
  from: string;
  to: string;
  unit?: "minute" | "second" | undefined;
  except?: { collection: string[]; suspense: string[] } | undefined;
};

type Kind = "collection" | "suspense";
type Minute<Mode> = {
  mode: Mode;
  kind: Kind;
  minute: string;
  count: number;
  sum: bigint;
  digests: Record<string, string>;
};
type Row<Mode> = {
  mode: Mode;
  kind: Kind;
  intake_id: string;
  merchant_id: string | null;
  amount: bigint;
  digests: Record<string, string>;
};

/**
 * A service's records of received transfers, by minute and row by row, for the self-audit to compare. `rows` is a query that
 * returns mode, kind, received_at, intake_id, merchant_id, amount and a column per digest, for transfers received in [$1, $2).
 * A minute has a digest if all of its rows have it. `offset 0` makes PostgreSQL compute each digest once, not at every use.
 */
export function receivedRows<Mode extends string>(rows: string, digests: readonly string[]) {
  const sums = digests.map((name) => `'${name}', case when count("${name}") = count(*) then sum("${name}")::text end`);
  const each = digests.map((name) => `'${name}', "${name}"::text`);
  const minutes = statement<Minute<Mode>>(`
    select mode, kind, date_trunc($3, received_at, 'UTC') as minute, count(*)::integer as count, sum(amount)::bigint as sum,
      jsonb_strip_nulls(jsonb_build_object(${sums.join(", ")})) as digests
    from (${rows} offset 0) as received
    where case kind when 'collection' then intake_id not in (select unnest($4::text[]))
      else intake_id not in (select unnest($5::text[])) end
    group by 1, 2, 3 order by 3, 1, 2`);
  const listed = statement<Row<Mode>>(`
    select mode, kind, intake_id, merchant_id, amount, jsonb_strip_nulls(jsonb_build_object(${each.join(", ")})) as digests
    from (${rows}) as received order by intake_id collate "C", kind limit $3`);
  return {
    minutes: (session: Session, { from, to, unit = "minute", except }: ReceivedSpan) =>
      minutes(session, [from, to, unit, except?.collection ?? [], except?.suspense ?? []]),
    rows: (session: Session, { from, to, limit }: { from: string; to: string; limit: number }) =>
      listed(session, [from, to, limit]),
  };
}
