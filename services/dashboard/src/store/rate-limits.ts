import { type Pool, statement } from "@collect/database";

const forgive = statement("delete from rate_limit_hits where key = any ($1::text[])");

/** Deletes the counts of these keys: a user who signed in was not guessing. */
export async function forgiveAttempts(pool: Pool, keys: string[]): Promise<void> {
  await forgive(pool, [keys]);
}
