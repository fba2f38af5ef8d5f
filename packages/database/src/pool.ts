import type { Logger, Part } from "@collect/runtime";
import pg from "pg";

export type Pool = pg.Pool;
/** One connection inside BEGIN … COMMIT. Every function of a store takes it first. */
export type Transaction = pg.ClientBase;
/** Where a statement runs: in a transaction, or by itself, when it is a transaction of its own. */
export type Session = Transaction | Pool;

const INT8 = 20;
const TIMESTAMPTZ = 1184;

/** `2026-11-21 09:30:00.123+00`, as PostgreSQL writes it in UTC, to `2026-11-21T09:30:00.123+00:00`. */
function instant(text: string): string {
  const [day = "", time = ""] = text.slice(0, -3).split(" ");
  const [seconds = "", fraction = ""] = time.split(".");
  return `${day}T${seconds}.${fraction.slice(0, 3).padEnd(3, "0")}+00:00`;
}

/** Integers of 64 bits are bigints and times are the strings that go on the wire: a row is ready to be sent. */
const types = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === INT8) return BigInt;
    if (oid === TIMESTAMPTZ) return instant;
    return pg.types.getTypeParser(oid, format);
  },
};

/**
 * Settings for a service whose every statement looks rows up by their keys. Plans are kept for the life of a connection:
 * one made while the tables were empty must not read them whole when they are full. None depends on its values, so none is
 * planned again for them. Measured: 759 to 407 µs of PostgreSQL's time a collection.
 */
export const BY_KEYS = [
  "enable_seqscan=off",
  "enable_hashjoin=off",
  "enable_mergejoin=off",
  "plan_cache_mode=force_generic_plan",
];

/**
 * Connections of one service to its own database. Bounded in number, in how long a statement may take and in how long
 * a transaction may be left alone; `settings` are further PostgreSQL settings for every connection.
 */
export function createPool(options: {
  url: string;
  service: string;
  log: Logger;
  max?: number;
  settings?: string[];
}): Pool {
  const settings = [
    "timezone=UTC",
    "statement_timeout=20s",
    "lock_timeout=10s",
    "idle_in_transaction_session_timeout=30s",
  ];
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.service,
    max: options.max ?? 4,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    types,
    options: [...settings, ...(options.settings ?? [])].map((setting) => `-c ${setting}`).join(" "),
  });
  // A server that goes away takes its connections with it: whoever uses one gets the error from its query, and the next
  // query opens a new one or says why not. Without a listener the process would die of it.
  const lost = (error: Error) => options.log.warn({ err: error }, "a database connection was lost");
  pool.on("error", lost);
  pool.on("connect", (client) => client.on("error", lost));
  return pool;
}

/** The pool as a part of a service: it starts once the database answers. */
export function database(pool: Pool): Part {
  return {
    name: "database",
    start: async () => void (await pool.query("select 1")),
    stop: () => pool.end(),
  };
}

/** One transaction: committed when the work returns, rolled back when it throws. Nothing in it may wait for the network. */
export async function transaction<Result>(pool: Pool, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    // A connection on which the rollback fails is closed, never given to the next caller.
    await client.query("rollback").catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
