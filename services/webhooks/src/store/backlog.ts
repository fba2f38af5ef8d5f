import type { Mode } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";

/** Rows of an index that are looked at: while more wait, the counts are lower bounds. */
const COUNTED_MAX = 20_000;

const waiting = statement<{ mode: Mode; count: number }>(`
  select mode, (count(*) filter (where next_attempt_at is not null))::integer as count
  from (select mode, next_attempt_at from deliveries where status = 'pending' limit ${COUNTED_MAX}) pending group by mode`);
/** The deliveries that are pending and have a time. */
export const countWaiting = (pool: Pool) => waiting(pool);

const held = statement<{ mode: Mode; count: number }>(`
  select mode, count(*)::integer as count
  from (select mode from deliveries where status = 'pending' and next_attempt_at is null limit ${COUNTED_MAX}) held group by mode`);
export const countHeld = (pool: Pool) => held(pool);
