import { answerDeadLetters, type Bus, consumeEvents, serveRequests } from "@collect/bus";
import type { Pool } from "@collect/database";
import type { Logger, Part } from "@collect/runtime";
import type { Config } from "./config.ts";
import { answerBalance } from "./handlers/balances.ts";
import { postCollections } from "./handlers/collections.ts";
import { postSuspense } from "./handlers/suspense.ts";

/** What the ledger does with its connections: posts what came, and answers what stands. */
export function createApp(deps: { config: Pick<Config, "LEDGER_STRIPE">; pool: Pool; bus: Bus; log: Logger }): Part[] {
  const { pool, bus, log } = deps;
  const posting = { stripe: deps.config.LEDGER_STRIPE, log };
  return [
    consumeEvents(bus, {
      service: "ledger",
      pool,
      log,
      consumers: [postCollections(posting), postSuspense(posting)],
    }),
    serveRequests(bus, {
      service: "ledger",
      log,
      requests: [answerBalance(pool), ...answerDeadLetters("ledger", { pool, bus })],
    }),
  ];
}
