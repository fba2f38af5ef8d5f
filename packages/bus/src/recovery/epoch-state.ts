import type { MoneyService } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Logger } from "@collect/runtime";
import type { Bus } from "../connection/connect.ts";

export type EpochDeps = { service: MoneyService; pool: Pool; bus: Bus; log: Logger };

/** What a process knows about its database. */
export type EpochState = {
  /** The epoch of its last heartbeat. */
  last: bigint | undefined;
  /** Whether a peer has confirmed that the database was not restored. */
  isConfirmed: boolean;
  /** The step of the recovery in progress. */
  step: string | undefined;
  /** Whether a restore was detected within the last day. */
  recently: boolean;
};
