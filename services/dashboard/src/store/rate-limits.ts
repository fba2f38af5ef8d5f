import { type Pool, statement } from "@collect/database";

const forgive = statement("delete from rate_limit_hits where key = any ($1::text[])");

/** A person who got in was not guessing: what was counted under these keys is deleted. */
export async function forgiveAttempts(pool: Pool, keys: string[]): Promise<void> {
  await forgive(pool, [keys]);
}
