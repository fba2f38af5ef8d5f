import type { Stack } from "../stack.ts";

/**
 * Makes every delivery due that waits for its next attempt, or for the lease of a process that died: the
 * scheduled attempt happens now. A delivery claimed by a live process may be sent again. Returns the number.
 */
export async function deliverNow(stack: Stack): Promise<number> {
  const { rowCount } = await stack
    .database("webhooks")
    // Rows locked by a sender are skipped: waiting for one while locking others could deadlock.
    .query(
      `update deliveries set next_attempt_at = now() where number = any(array(
         select number from deliveries where status = 'pending' order by number for update skip locked))`,
    );
  return rowCount ?? 0;
}
