import { Socket } from "node:net";
import type { Component, Logger } from "@collect/runtime";
import pg from "pg";

export type Pool = pg.Pool;
/** One connection inside BEGIN … COMMIT. Every function of a store takes it first. */
export type Transaction = pg.ClientBase;
/** Where a statement runs: in a transaction, or by itself, when it is a transaction of its own. */
export type Session = Transaction | Pool;

const INT8 = 20;
const TIMESTAMPTZ = 1184;

/** Integers of 64 bits are bigints and times are the strings that go on the wire: a row is ready to be sent. */
const types = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === INT8) return BigInt;
    if (oid === TIMESTAMPTZ) return instant;
    return pg.types.getTypeParser(oid, format);
  },
};

/**
 * Settings for where money moves, where every statement looks rows up by their keys. Plans are kept for the life of a connection:
 * one made while the tables were empty must not read them whole when they are full. None depends on its values, so none is
 * planned again for them. Measured: 759 to 407 µs of PostgreSQL's time a collection.
 */
export const KEY_LOOKUPS_ONLY = [
  "enable_seqscan=off",
  "enable_hashjoin=off",
  "enable_mergejoin=off",
  "plan_cache_mode=force_generic_plan",
];

/** How long a statement may take and how long of that it may wait for a lock, in milliseconds. */
export type Limits = { statementMs: number; lockMs: number };

/** Workers, audits and operators: some of their statements read much. */
const PATIENT: Limits = { statementMs: 20_000, lockMs: 10_000 };
/**
 * What money or a caller waits for: statements of milliseconds, repeated by whoever needs them. A lock that is held longer is reported soon
 * enough (55P03) for the rest of a batch to go on without what it blocks.
 */
export const TIGHT: Limits = { statementMs: 5_000, lockMs: 1_000 };

/** How much longer than the server the client waits: the server's own time-out is the better answer. */
const CLIENT_LATER_MS = 1_000;
const CONNECT_WITHIN_MS = 5_000;
/** A connection at rest is closed after this long, and before it would count as silent. */
const IDLE_MAX_MS = 10_000;
const idleMs = ({ statementMs }: Limits) => Math.min(IDLE_MAX_MS, 0.8 * statementMs);
const KEEP_ALIVE_AFTER_MS = 3_000;

/**
 * Connections of one service to its own database. Bounded in number, in how long a statement may take, on both sides, and in
 * how long a transaction may be left alone; `settings` are further PostgreSQL settings for every connection. Whoever finds
 * all connections in use waits in order, at most CONNECT_WITHIN_MS: a pool is a queue of its own.
 */
export function createPool(options: {
  url: string;
  service: string;
  log: Logger;
  max?: number;
  limits?: Limits;
  settings?: string[];
}): Pool {
  const { limits = PATIENT } = options;
  const { statementMs, lockMs } = limits;
  const settings = [
    "timezone=UTC",
    `statement_timeout=${statementMs}`,
    `lock_timeout=${lockMs}`,
    // The other end of a connection that has gone silent: what it has locked is free again by then.
    `idle_in_transaction_session_timeout=${statementMs}`,
  ];
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.service,
    max: options.max ?? 4,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    idleTimeoutMillis: idleMs(limits),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    stream: () => openSocket(statementMs + CLIENT_LATER_MS),
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

/**
 * A connection on which nothing has come for so long is destroyed, whatever it waits for: a statement, a commit, a rollback.
 * The server would have answered, if only that the time is up, so the network or the server is gone without a word; the
 * kernel notices that after a quarter of an hour. Its statement fails at once, as something that passes, and the pool opens
 * another connection.
 */
function openSocket(silenceMs: number): Socket {
  const socket = new Socket();
  socket.setTimeout(silenceMs, () => {
    const received = socket.bytesRead;
    // After a SIGSTOP the timer comes before what the kernel has kept for us.
    setImmediate(() => {
      if (socket.bytesRead === received) socket.destroy(silent());
    });
  });
  return socket;
}

const silent = () => Object.assign(new Error("the database connection has gone silent"), { code: "ETIMEDOUT" });

/** The pool as a part of a service: it starts once the database answers. */
export function database(pool: Pool): Component {
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
    // A connection on which the rollback fails is closed, never given to the next caller; on a lost one it fails at once.
    await client.query("rollback").catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** `2026-11-21 09:30:00.123+00`, as PostgreSQL writes it in UTC, to `2026-11-21T09:30:00.123+00:00`. */
function instant(text: string): string {
  const [day = "", time = ""] = text.slice(0, -3).split(" ");
  const [seconds = "", fraction = ""] = time.split(".");
  return `${day}T${seconds}.${fraction.slice(0, 3).padEnd(3, "0")}+00:00`;
}
