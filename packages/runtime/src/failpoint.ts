const [armed, hits = "1"] = (process.env.FAILPOINT ?? "").split(":");
let remaining = Number(hits);

/**
 * A place where a fault test kills the process as in a power failure: `FAILPOINT=name` kills it at the first pass,
 * `FAILPOINT=name:5` at the fifth. Inert unless set.
 */
export function failpoint(name: FailpointName): void {
  if (armed === name && --remaining <= 0) process.kill(process.pid, "SIGKILL");
}

export type FailpointName =
  /** A transaction is committed; its events are not published yet. */
  | "committed"
  /** Published; the input is not acknowledged yet. */
  | "published"
  /** A merchant's server or the bank has responded; the result is not stored yet. */
  | "posted"
  /** Some lines of a file of transfers are ordered; that is not stored with the file yet. */
  | "ordered"
  /** A payout has the line that statements is asked next to keep for its return, or to free. */
  | "fenced"
  /** A line of a statement is kept for a payout, or for a reversal; the service that asked for it has not committed that yet. */
  | "claimed"
  /** A line of a statement is free again; the payout does not know it yet. */
  | "released"
  /** What an operator says about a payout, or that a bank took back, is committed; nothing follows from it yet. */
  | "resolved"
  /** After a restore the endpoints that were changed since are paused; no lost event is recorded again yet. */
  | "paused";
