const [armed, hits = "1"] = (process.env.FAILPOINT ?? "").split(":");
let left = Number(hits);

/**
 * A place where a fault test lets the process die as if the power went: `FAILPOINT=name` dies at the first pass,
 * `FAILPOINT=name:5` at the fifth. Inert unless set.
 */
export function failpoint(name: FailpointName): void {
  if (armed === name && --left <= 0) process.kill(process.pid, "SIGKILL");
}

export type FailpointName =
  /** A transaction is committed; nothing of it is published yet. */
  | "committed"
  /** Published; the input is not acknowledged yet. */
  | "published"
  /** A merchant's server or the bank has answered; the result is not stored yet. */
  | "posted";
