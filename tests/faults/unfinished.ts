import type { Stack } from "../stack.ts";

/**
 * Makes unfinished transfers due now. Rows that the service has locked are skipped: it locks its rows in another order,
 * and one of the two would be aborted as a deadlock.
 */
export async function makeUnfinishedDue(stack: Stack): Promise<void> {
  await stack.database("accounts").query(`
    update inbound_transfers set drive_at = now() where intake_id = any(array(
      select intake_id from inbound_transfers where completed_at is null for update skip locked))`);
}
