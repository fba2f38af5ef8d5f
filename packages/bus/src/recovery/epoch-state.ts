import type { MoneyService } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Logger } from "@collect/runtime";
import type { Bus } from "../connection/connect.ts";

export type EpochDeps = { service: MoneyService; pool: Pool; bus: Bus; log: Logger };

/** What a process knows of its database. */
export type EpochState = {
  /** The epoch of its last beat. */
  last: bigint | undefined;
  /** Whether a neighbour has confirmed that the database is the one it knows. */
  isConfirmed: boolean;
  /** The step of the recovery under way. */
  step: string | undefined;
  /** Whether a recovery was noticed within a day. */
  recently: boolean;
};
