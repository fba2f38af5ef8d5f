import { answerDeadLetters, type Bus, consumeEvents, serveRequests } from "@collect/bus";
import type { Pool } from "@collect/database";
import type { Logger, Part } from "@collect/runtime";
import { acceptCollections } from "./handlers/collections.ts";

export type Deps = { pool: Pool; bus: Bus; log: Logger };

/** Collections and payers. */
export function createApp({ pool, bus, log }: Deps): Part[] {
  return [
    consumeEvents(bus, { service: "payments", pool, log, consumers: [acceptCollections] }),
    serveRequests(bus, { service: "payments", log, requests: answerDeadLetters("payments", { pool, bus }) }),
  ];
}
