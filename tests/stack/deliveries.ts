import type { Stack } from "../stack.ts";

/**
 * Ends the wait of every delivery that waits for its next attempt, or for the lease of a process that died: what the
 * schedule would do later happens now. One that was claimed by a living process may be sent once more. Answers how many.
 */
export async function deliverNow(stack: Stack): Promise<number> {
  const { rowCount } = await stack
    .database("webhooks")
    .query("update deliveries set next_attempt_at = now() where status = 'pending'");
  return rowCount ?? 0;
}
