import { statement, type Transaction } from "@collect/database";
import type { EventDraft } from "../domain/event.ts";

const lock = statement("select pg_advisory_xact_lock(hashtextextended('test events of ' || $1, 0))");

/** Counted in the log itself, by the index of events by kind. A repeat of a request creates no event and is not counted. */
const spent = statement<{ seconds: number }>(`
  with nth as materialized (
    select created_at from events where merchant_id = $1 and mode = $2 and kind = $3 order by sequence desc offset $4 - 1 limit 1
  )
  select greatest(ceil(extract(epoch from created_at + interval '60 minutes' - clock_timestamp())), 1)::integer as seconds
  from nth where created_at > clock_timestamp() - interval '60 minutes' and not exists (select from events where key = $5)`);

/** Undefined while one more test event is allowed, otherwise the seconds until then. Concurrent callers queue until they commit. */
export async function secondsUntilTestEvent(
  tx: Transaction,
  { merchant, kind, key }: EventDraft,
  perHour: number,
): Promise<number | undefined> {
  await lock(tx, [`${merchant.mode} ${merchant.id}`]);
  const [last] = await spent(tx, [merchant.id, merchant.mode, kind, perHour, key]);
  return last?.seconds;
}
