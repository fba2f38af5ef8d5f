import type { Mode } from "@collect/contracts";

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
  secret: string;
  /** The next secret during a rotation. */
  stagedSecret: string | null;
  leaseEndsAt: number;
};
