/**
 * SQLSTATE classes and codes that are not caused by the data: connection, serialization, deadlock, resources, shutdown, a server that
 * is a standby (still, or again), and a transaction that this process left idle for too long.
 */
const TRANSIENT_SQLSTATE = /^(08|40|53|57|58|55P03|25006|25P03)/;
const TRANSIENT_NODE = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENOENT",
]);
const TRANSIENT_MESSAGE =
  /connection (terminated|ended|closed)|terminat(ed|ing) (connection|unexpectedly)|timeout exceeded when trying to connect|timeout expired|not queryable|after calling end on the pool|connection error/i;

/** Prisma's own codes for the same: cannot reach, timed out, operation timed out, connection closed, conflict, too many connections. */
const TRANSIENT_PRISMA = new Set(["P1001", "P1002", "P1008", "P1017", "P2034", "P2037"]);

/** The SQLSTATE of an error for which Prisma has no code of its own. */
const sqlstateIn = (error: object): string =>
  String(Object(Object(Object(error).meta).driverAdapterError).cause?.originalCode ?? "");

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

/** Another row has the same unique key. */
export const isUniqueViolation = (error: unknown): boolean => hasCode(error, "23505");
/** A row is there that the change would leave without its own. */
export const isForeignKeyViolation = (error: unknown): boolean => hasCode(error, "23503");

/** The statement waited for a lock until lock_timeout. Without the locked row it would succeed. */
export const isLocked = (error: unknown): boolean => hasCode(error, "55P03");

/** The statement ran until statement_timeout. Half of the batch may succeed. */
export const isTooSlow = (error: unknown): boolean => hasCode(error, "57014");

/** Whether the same work may succeed later unchanged. Other errors are caused by the data, or by a bug. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isTransient)) return true;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return (
    TRANSIENT_NODE.has(code) ||
    TRANSIENT_PRISMA.has(code) ||
    (code.length === 5 && TRANSIENT_SQLSTATE.test(code)) ||
    TRANSIENT_SQLSTATE.test(sqlstateIn(error)) ||
    TRANSIENT_MESSAGE.test(error.message) ||
    isTransient(error.cause)
  );
}
