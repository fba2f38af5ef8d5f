import type { Bus } from "@collect/bus";
import type { Pool } from "@collect/database";
import type { Logger } from "@collect/runtime";
import { listBankAccounts } from "../store/bank-accounts.ts";
import { matchAccount } from "./match-account.ts";
import { readMovements } from "./read-movements.ts";

export type Refresh = () => Promise<void>;

/** Reads what is new in accounts and payments, and matches it with the statements. Callers at the same time share one run. */
export function createRefresh(deps: { pool: Pool; bus: Bus; log: Logger }): Refresh {
  let running: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  const run = () => {
    running = refresh(deps).finally(() => {
      running = undefined;
    });
    return running;
  };
  // A run that is under way may have passed by what its caller has just stored.
  return () => {
    if (!running) return run();
    following ??= running
      .catch(() => {})
      .then(() => {
        following = undefined;
        return run();
      });
    return following;
  };
}

async function refresh(deps: { pool: Pool; bus: Bus; log: Logger }): Promise<void> {
  await readMovements(deps);
  for (const { number } of await listBankAccounts(deps.pool)) await matchAccount(deps.pool, number);
}
