import type { Stack } from "../stack.ts";

/**
 * Ends the wait of every delivery that waits for its next attempt, or for the lease of a process that died: what the
 * schedule would do later happens now. One that was claimed by a living process may be sent once more. Answers how many.
 */
export async function deliverNow(stack: Stack): Promise<number> {
  const { rowCount } = await stack
    .database("webhooks")
    // Those that a sender writes at this moment are left out: waiting for one while holding others could be a deadlock.
    .query(
      `update deliveries set next_attempt_at = now() where number = any(array(
         select number from deliveries where status = 'pending' order by number for update skip locked))`,
    );
  return rowCount ?? 0;
}
