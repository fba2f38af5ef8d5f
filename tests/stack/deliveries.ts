import type { Stack } from "../stack.ts";

/**
 * Makes every delivery due that waits for its next attempt, or for the lease of a process that died, and every probe of a held
 * endpoint: the scheduled attempt happens now. A delivery claimed by a live process may be sent again. Returns the number.
 */
export async function deliverNow(stack: Stack): Promise<number> {
  const database = stack.database("webhooks");
  await database.query("update holds set next_batch_at = now() where state <> 'paused'");
  const { rowCount } = await database
    // Rows locked by a sender are skipped: waiting for one while locking others could deadlock.
    .query(
      `update deliveries set next_attempt_at = now() where number = any(array(
         select number from deliveries where status = 'pending' order by number for update skip locked))`,
    );
  return rowCount ?? 0;
}
