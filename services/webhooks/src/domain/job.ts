import type { Mode, ReceiverScenario } from "@collect/contracts";

/** One attempt and its outcome: `retryInMs` is null when there is no further attempt. */
export type AttemptResult = {
  number: bigint;
  attempt: number;
  startedAt: string;
  durationMs: number;
  status: number | null;
  error: string | null;
  response: string | null;
  outcome: "delivered" | "pending" | "exhausted";
  retryInMs: number | null;
  /** What the receiver asked for. */
  retryAfterMs: number | undefined;
};

/** One attempt to make: a delivery that this process has claimed. `leaseEndsAt` is on the clock of `performance.now()`. */
export type Job = {
  number: bigint;
  merchantId: string;
  mode: Mode;
  sequence: bigint;
  attempt: number;
  /** Attempts of earlier rounds: the schedule counts from there. */
  attemptsBefore: number;
  kind: string;
  body: Buffer;
  url: string;
  /** As the database holds it, like the next secret during a rotation. */
  secret: string;
  stagedSecret: string | null;
  /** In test mode: what a scenario has the merchant's server do with the first attempts. */
  simulated: ReceiverScenario[] | null;
  leaseEndsAt: number;
  /** The trace in which the delivery was recorded, if it was recorded just now. */
  trace?: string | undefined;
  /** Of a batch of held deliveries: called once, with the stored result, or without one if no attempt was made. */
  onEnd?: (result?: AttemptResult) => void;
};
