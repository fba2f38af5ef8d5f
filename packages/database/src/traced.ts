import { inSpan, isTracing, type Step } from "@collect/telemetry";
import type pg from "pg";

type Queries = { query(...given: unknown[]): unknown };

/** Has the pool's statements recorded in the trace of the caller, if traces are on. */
export function traceStatements(pool: pg.Pool): void {
  if (!isTracing()) return;
  wrap(pool);
  pool.on("connect", wrap);
}

function wrap(session: Queries): void {
  const query = session.query.bind(session);
  // The pool runs its own statements on a connection with a callback: those are recorded by the pool's span.
  session.query = (...given) =>
    typeof given.at(-1) === "function"
      ? query(...given)
      : inSpan(
          () => stepOf(given[0]),
          async () => query(...given),
        );
}

/** Neither the statement's text nor its values: only what it does to which tables. */
function stepOf(given: unknown): Step {
  const { text = given, name } = Object(given);
  const summary = name === undefined ? summaryOf(String(text)) : summaryOfNamed(String(text));
  const operation = summary.split(" ", 1)[0] ?? "";
  return {
    name: summary,
    kind: "CLIENT",
    attributes: {
      "db.system.name": "postgresql",
      "db.operation.name": operation,
      "db.query.summary": summary,
    },
  };
}

/** Prepared statements are constants of the program, so there are not many. */
const summaries = new Map<string, string>();

function summaryOfNamed(text: string): string {
  const known = summaries.get(text) ?? summaryOf(text);
  summaries.set(text, known);
  return known;
}

const WRITE = /\b(insert\s+into|(?<!\b(?:for|do|key)\s+)update|delete\s+from)\s+(?:only\s+)?"?(?:public"?\."?)?(\w+)/gi;
const READ = /\b(?:from|join)\s+(?:only\s+)?"?(?:public"?\."?)?([a-z_]\w*)\b(?!\s*\()/gi;
const COMMON_TABLE = /(\w+)\s+as\s+(?:(?:not\s+)?materialized\s+)?\(/gi;
const SUMMARY_MAX = 255;

/** `insert entries update balances`, `select sessions`, `commit`: what is written, or otherwise the first table that is read. */
export function summaryOf(text: string): string {
  const writes = [...text.matchAll(WRITE)].map(([, verb = "", table]) => `${verb.slice(0, 6).toLowerCase()} ${table}`);
  if (writes.length > 0) return [...new Set(writes)].join(" ").slice(0, SUMMARY_MAX);
  const verb = /\w+/.exec(text)?.[0].toLowerCase() ?? "";
  if (verb !== "with" && verb !== "select") return verb;
  const named = new Set([...text.matchAll(COMMON_TABLE)].map(([, name]) => name));
  const table = [...text.matchAll(READ)].map(([, name]) => name).find((name) => !named.has(name));
  return table ? `select ${table}` : "select";
}
