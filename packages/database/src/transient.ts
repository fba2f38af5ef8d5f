/** Classes and codes of PostgreSQL that say nothing about the data: connection, serialization, deadlock, resources, shutdown. */
const PASSING_SQLSTATE = /^(08|40|53|57|58|55P03)/;
const PASSING_NODE = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENOENT",
]);
const PASSING_MESSAGE =
  /connection (terminated|ended|closed)|terminat(ed|ing) (connection|unexpectedly)|timeout exceeded when trying to connect|not queryable|after calling end on the pool|connection error/i;

/** Prisma's own codes for the same: cannot reach, timed out, operation timed out, connection closed. */
const PASSING_PRISMA = new Set(["P1001", "P1002", "P1008", "P1017"]);

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

/** The statement waited for a lock until lock_timeout. Without the locked row it would go through. */
export const isLocked = (error: unknown): boolean => hasCode(error, "55P03");

/** The statement was at work until statement_timeout. Half of it may go through. */
export const isTooSlow = (error: unknown): boolean => hasCode(error, "57014");

/** Whether the same work may succeed later without change. What is not transient is the data's fault, or ours. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isTransient)) return true;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return (
    PASSING_NODE.has(code) ||
    PASSING_PRISMA.has(code) ||
    (code.length === 5 && PASSING_SQLSTATE.test(code)) ||
    PASSING_MESSAGE.test(error.message) ||
    isTransient(error.cause)
  );
}
