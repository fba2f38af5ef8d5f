import type { Stack } from "../stack.ts";

/**
 * Makes what is unfinished due, as if its waits were over. What the service has locked just now is passed by: it takes its rows
 * in another order, and one of the two would be ended as a deadlock.
 */
export async function makeUnfinishedDue(stack: Stack): Promise<void> {
  await stack.database("accounts").query(`
    update inbound_transfers set drive_at = now() where intake_id = any(array(
      select intake_id from inbound_transfers where completed_at is null for update skip locked))`);
}
