import type { Bus } from "@collect/bus";
import { DECISIONS_A_PAGE, instantOf, listDecisions } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { addDecisions } from "../store/notices.ts";

const EVERY_MS = 20_000;
/** A dashboard that was down for less than this misses no decision. */
const SINCE_MS = 7 * 86_400_000;

type Deps = { pool: Pool; bus: Bus; log: Logger; everyMs?: number };

/**
 * Asks the gateway for its latest decisions on verifications, and notes those that were not mailed. It keeps no position: what
 * was mailed is known by its key, so replicas may ask at once, and a restored database mails again what it has forgotten.
 */
export function noteDecisions({ pool, bus, log, everyMs = EVERY_MS }: Deps): Component {
  return interval({ name: "decisions", everyMs, log }, async (signal, stepped) => {
    const since = instantOf(new Date(Date.now() - SINCE_MS));
    let after: { decided_at: string; merchant_id: string } | null = null;
    while (!signal.aborted) {
      const { decisions }: Awaited<ReturnType<typeof ask>> = await ask(bus, since, after);
      await addDecisions(pool, decisions);
      const last = decisions.at(-1);
      if (!last || decisions.length < DECISIONS_A_PAGE) return;
      after = { decided_at: last.decided_at, merchant_id: last.merchant_id };
      stepped();
    }
  });
}

const ask = (bus: Bus, since: string, after: { decided_at: string; merchant_id: string } | null) =>
  bus.request(listDecisions, { since, after });
