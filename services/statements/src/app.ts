import { type Bus, fulfillContracts } from "@collect/bus";
import { enforceRetention, type Pool } from "@collect/database";
import type { Component, Logger } from "@collect/runtime";
import { bankAccountRequests } from "./handlers/bank-accounts.ts";
import { dayRequests } from "./handlers/days.ts";
import { fileRequests } from "./handlers/files.ts";
import { deleteParts } from "./store/files.ts";
import { createRefresh } from "./use-cases/refresh.ts";
import { createComparison } from "./workers/comparison.ts";

/** How often movements are read and matched; they also are before a day is shown. */
const EVERY_MS = 60_000;

export type Deps = { pool: Pool; bus: Bus; log: Logger; everyMs?: number };

/** Takes the bank's statements, compares them with what accounts, payments and the ledger know, and closes days. */
export function createApp({ pool, bus, log, everyMs = EVERY_MS }: Deps): Component[] {
  const refresh = createRefresh({ pool, bus, log });
  return [
    createComparison({ pool, log, refresh, everyMs }),
    enforceRetention(pool, { log, rules: [{ name: "parts of files", days: 1, remove: deleteParts }] }),
    ...fulfillContracts(bus, {
      service: "statements",
      log,
      requests: [
        ...bankAccountRequests({ pool }),
        ...fileRequests({ pool, refresh }),
        ...dayRequests({ pool, bus, refresh }),
      ],
    }),
  ];
}
