import type { Bus } from "@collect/bus";
import { storeAccountCopies } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { markCopied, uncopiedAccounts } from "../store/account-copies.ts";

const EVERY_MS = 1_000;
/** Of each kind; payments accepts 500 per request. */
const PAGE = 200;

/** Sends payments a copy of every account that is issued or retired: after a restore they are restored from there. */
export function createCopies({ pool, bus, log }: { pool: Pool; bus: Bus; log: Logger }): Component {
  return interval({ name: "copies", everyMs: EVERY_MS, log }, async (signal) => {
    while (!signal.aborted) {
      const accounts = await uncopiedAccounts(pool, PAGE);
      if (accounts.length === 0) return;
      await bus.request(storeAccountCopies, { accounts });
      await markCopied(pool, accounts);
    }
  });
}
