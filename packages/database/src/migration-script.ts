import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@collect/runtime";
import type pg from "pg";
import { TIGHT } from "./pool.ts";
import { isLocked } from "./transient.ts";

/** How a migration waits for the locks that it needs. */
export type Patience = { log?: Logger | undefined; giveUpAfterMs?: number | undefined };

/**
 * Half as long as the services wait for a lock. A statement that waits for a whole table makes every later query of that table
 * wait behind it, and these must not be refused for its sake.
 */
const LOCK_WITHIN_MS = TIGHT.lockMs / 2;
/** Between two attempts: what waited behind the migration catches up. */
const AGAIN_AFTER_MS = 1_000;
const GIVE_UP_AFTER_MS = 300_000;

/**
 * Runs the script of a migration as one query, so it is atomic, and again whenever it met a lock that is held for longer, by a
 * transaction that reads for minutes, say. Throws MigrationBlocked when it is given up.
 */
export async function runScript(pool: pg.Pool, script: string, { log, giveUpAfterMs }: Patience): Promise<void> {
  const giveUpAt = Date.now() + (giveUpAfterMs ?? GIVE_UP_AFTER_MS);
  const lockMs = isConcurrent(script) ? 0 : LOCK_WITHIN_MS;
  for (;;) {
    const client = await pool.connect();
    try {
      await client.query(`set lock_timeout = ${lockMs}`);
      return void (await client.query(script));
    } catch (error) {
      if (!isLocked(error)) throw error;
      if (Date.now() > giveUpAt) throw new MigrationBlocked(await oldestTransaction(client), error);
      log?.warn({ err: error }, "a migration waits for a lock, and lets the queries behind it pass");
    } finally {
      client.release();
    }
    await sleep(AGAIN_AFTER_MS);
  }
}

/** Nothing of the migration was applied. */
export class MigrationBlocked extends Error {
  constructor(holder: string, cause: unknown) {
    super(`it did not get its lock. The oldest transaction is ${holder}: end it, then migrate again`, {
      cause,
    });
  }
}

/**
 * `create index concurrently` lets reads and writes pass while it waits for older transactions. With a lock timeout it would
 * end, and leave an invalid index.
 */
const isConcurrent = (script: string): boolean => /\bindex\s+concurrently\b/i.test(script.replaceAll(/--.*$/gm, ""));

async function oldestTransaction(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query(
    `select format('process %s (%s, since %s)', pid, coalesce(nullif(application_name, ''), usename), xact_start) as holder
     from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
     order by xact_start limit 1`,
  );
  return rows[0]?.holder ?? "already over, or another user's";
}
