import type { Bus } from "@collect/bus";
import type { Pool } from "@collect/database";
import type { Logger } from "@collect/runtime";
import { listBankAccounts } from "../store/bank-accounts.ts";
import { readAgainFrom, readLacking } from "../store/movements.ts";
import { matchAccount } from "./match-account.ts";
import { readMovements } from "./read-movements.ts";

export type Refresh = () => Promise<void>;
type Deps = { pool: Pool; bus: Bus; log: Logger };

/** Reads what is new in accounts and payments, and matches it with the statements. Callers at the same time share one run. */
export function createRefresh(deps: Deps): Refresh {
  let running: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  const reading = createReading(deps.pool);
  const run = () => {
    running = refresh(deps, reading).finally(() => {
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

async function refresh(deps: Deps, reading: (read: () => Promise<void>) => Promise<void>): Promise<void> {
  await reading(() => readMovements(deps));
  for (const { number } of await listBankAccounts(deps.pool)) await matchAccount(deps.pool, number);
}

/** What the release before has stored lacks what the bank kept of it, and is read again: once, as what accounts does not have either stays so. */
function createReading(pool: Pool) {
  let left = 0;
  return async (read: () => Promise<void>): Promise<void> => {
    const { first, count } = await readLacking(pool);
    const isAgain = first !== null && count > left;
    if (isAgain) await readAgainFrom(pool, first);
    await read();
    left = isAgain ? (await readLacking(pool)).count : count;
  };
}
