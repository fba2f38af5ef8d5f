import { columns, type Pool, statement } from "@collect/database";
import { CALL_METHODS, CALL_OUTCOMES, type CallMethod, type CallOutcome, type LoggedCall } from "../domain/call-log.ts";

const insert = statement(`
  insert into api_calls (merchant_id, mode, at, request_id, method, path, status, outcome, code, duration_ms, key,
    made, problem, query, body_type, body)
  select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::smallint[],
    $8::text[], $9::text[], $10::integer[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[])`);

export async function insertCalls(pool: Pool, calls: readonly LoggedCall[]): Promise<void> {
  await insert(
    pool,
    columns(
      calls,
      "merchant_id",
      "mode",
      "at",
      "request_id",
      "method",
      "path",
      "status",
      "outcome",
      "code",
      "duration_ms",
      "key",
      "made",
      "problem",
      "query",
      "body_type",
      "body",
    ),
  );
}

/** Reads only the oldest rows, however many exist; ids are in the order of the times to within the seconds that a batch waits. */
const deleteOld = statement<{ id: bigint }>(`
  with oldest as (select id, at from api_calls order by id limit $2)
  delete from api_calls
  where id <= (select max(id) from oldest where at < clock_timestamp() - $1 * interval '1 day')
    and at < clock_timestamp() - $1 * interval '1 day'
  returning id`);

/** Deletes at most `max` calls older than `days`; returns how many it deleted. */
export async function deleteCalls(pool: Pool, { days, max }: { days: number; max: number }): Promise<number> {
  return (await deleteOld(pool, [days, max])).length;
}

export type CallRow = {
  id: bigint;
  at: string;
  request_id: string;
  method: string;
  path: string;
  status: number;
  code: string | null;
  duration_ms: number;
  key: string;
  made: string | null;
};

export type CallFilter = {
  merchant: { id: string; mode: string };
  outcomes: readonly CallOutcome[];
  methods: readonly CallMethod[];
  from: string;
  /** The cursor: only older rows, or equally old ones with a smaller id. */
  after: { at: string; id: string };
  limit: number;
};

export type SearchedCalls = { term: string; from: string; before: string };

const COLUMNS = "id, at, request_id, method, path, status, code, duration_ms, key, made";
const WITHIN = "merchant_id = $1 and mode = $2 and at >= $5 and (at, id) < ($6, $7::bigint)";
const NEWEST_FIRST = "order by at desc, id desc";

/**
 * One stream in order of time for each outcome and method, all from one index, merged, and read only to the end of the page.
 * So a rare kind of call is found quickly even among a million others. Streams that the filter excludes are not read.
 */
const merged = (condition = "") =>
  `select * from (${CALL_OUTCOMES.flatMap((outcome) =>
    CALL_METHODS.map(
      (method) => `
    (select ${COLUMNS} from api_calls where ${WITHIN} ${condition} and outcome = '${outcome}' and method = '${method}'
      and '${outcome}' = any ($3::text[]) and '${method}' = any ($4::text[]) ${NEWEST_FIRST})`,
    ),
  ).join(" union all ")}) streams ${NEWEST_FIRST} limit $8`;

/** A search with more hits than this is common enough to fill a page while reading in order of time. */
const FEW = 20_000;

const found = (parameter: number) => {
  const [term, from, before] = [parameter, parameter + 1, parameter + 2].map((number) => `$${number}::text`);
  return `
    (select id from api_calls where merchant_id = $1 and mode = $2 and request_id = ${term} limit ${FEW + 1})
    union
    (select id from api_calls where merchant_id = $1 and mode = $2 and made = ${term} limit ${FEW + 1})
    union
    (select id from api_calls where merchant_id = $1 and mode = $2 and path ~>=~ ${from} and path ~<~ ${before} limit ${FEW + 1})`;
};

const page = statement<CallRow>(merged());
/** Written so that no search index applies: it reads in order of time, and stops when the page is full. */
const pageThroughMany = statement<CallRow>(
  merged("and (request_id = $9 or made = $9 or starts_with(path, $10::text))"),
);
const pageOfFew = statement<CallRow>(`
  with found as materialized (${found(9)})
  select ${COLUMNS} from api_calls
  where id in (select id from found) and ${WITHIN} and outcome = any ($3::text[]) and method = any ($4::text[])
  ${NEWEST_FIRST} limit $8`);
const countFound = statement<{ found: number }>(`select count(*)::int as found from (${found(3)}) found`);

export async function listCalls(pool: Pool, filter: CallFilter, search?: SearchedCalls): Promise<CallRow[]> {
  const { merchant, outcomes, methods, from, after, limit } = filter;
  const values = [merchant.id, merchant.mode, outcomes, methods, from, after.at, after.id, limit];
  if (!search) return page(pool, values);
  const searched = [search.term, search.from, search.before];
  const [count] = await countFound(pool, [merchant.id, merchant.mode, ...searched]);
  if (count && count.found > FEW) return pageThroughMany(pool, [...values, search.term, search.from]);
  return pageOfFew(pool, [...values, ...searched]);
}

export type WholeCallRow = CallRow & Pick<LoggedCall, "problem" | "query" | "body_type" | "body">;

const find = statement<WholeCallRow>(`
  select ${COLUMNS}, problem, query, body_type, body from api_calls where id = $3 and merchant_id = $1 and mode = $2`);

export async function findCall(
  pool: Pool,
  { merchant, id }: Pick<CallFilter, "merchant"> & { id: string },
): Promise<WholeCallRow | undefined> {
  const [call] = await find(pool, [merchant.id, merchant.mode, id]);
  return call;
}
