import { type Bus, fulfillContracts } from "@collect/bus";
import { enforceRetention, type Pool } from "@collect/database";
import type { Component, Logger } from "@collect/runtime";
import { bankAccountRequests } from "./handlers/bank-accounts.ts";
import { dayRequests } from "./handlers/days.ts";
import { fileRequests } from "./handlers/files.ts";
import { deleteParts } from "./store/files.ts";
import { createRefresh } from "./use-cases/refresh.ts";
import { createBookings } from "./workers/bookings.ts";
import { createComparison } from "./workers/comparison.ts";
import { measureDays } from "./workers/measurements.ts";

/** How often movements are read and matched; they also are before a day is shown. What closed days establish is compared with the ledger more often. */
const EVERY_MS = 60_000;
const BOOKINGS_EACH = 6;

export type Deps = { pool: Pool; bus: Bus; log: Logger; everyMs?: number; booksTotals?: boolean };

/** Takes the bank's statements, compares them with what accounts, payments and the ledger know, and closes days. */
export function createApp({ pool, bus, log, everyMs = EVERY_MS, booksTotals = true }: Deps): Component[] {
  const refresh = createRefresh({ pool, bus, log });
  return [
    createComparison({ pool, log, refresh, everyMs }),
    ...(booksTotals ? createBookings({ pool, bus, log, everyMs: everyMs / BOOKINGS_EACH }) : []),
    measureDays(pool),
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
