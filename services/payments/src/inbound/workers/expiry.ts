import type { Bus, Epochs } from "@collect/bus";
import { listInFlight } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import type { Announce } from "../adapters/announcements.ts";
import { type DueSession, expireSessions, pageOfDue, releaseLapsedSlots } from "../store/due-sessions.ts";

/** How often the worker runs, how long after its end a session is checked, and the page size. */
export type Expiring = { everyMs: number; graceMs: number; pageMax: number };

/**
 * The grace covers intake rows that were about to be committed when the session ended; `accounts` accepts at most 500
 * spans per request.
 */
export const EXPIRING: Expiring = { everyMs: 2_000, graceMs: 2_000, pageMax: 500 };

type Deps = { pool: Pool; bus: Bus; log: Logger; announce: Announce; epochs: Epochs; expiring: Expiring };

/**
 * Closes sessions that have ended and releases the slots of those whose watch window is over. A session expires only
 * after everything that was received before its end has been processed: sessions with a transfer in transit wait, at
 * most until the end of their watch window. Replicas may run this concurrently.
 */
export function createExpiryWorker(deps: Deps): Component {
  const { pool, log, announce, epochs, expiring } = deps;
  const { everyMs, graceMs, pageMax } = expiring;
  return interval({ name: "expiry", everyMs, log }, async (signal, stepped) => {
    // A collection that this database has lost may have been received in time.
    if (!epochs.isCurrent()) return;
    let page: DueSession[] = [];
    do {
      stepped();
      page = await pageOfDue(pool, { graceMs, after: page.at(-1), pageMax });
      const ready = await withoutInTransit(deps, page);
      if (ready.length > 0) announce(await expireSessions(pool, ready));
    } while (page.length === pageMax && !signal.aborted);
    while ((await releaseLapsedSlots(pool, pageMax)) === pageMax && !signal.aborted);
  });
}

/**
 * References of the sessions that can no longer receive a transfer in time: nothing received while they were open is
 * still in transit. While accounts does not respond, only sessions past their watch window are returned.
 */
async function withoutInTransit({ bus, log }: Deps, due: DueSession[]): Promise<string[]> {
  const waiting = due.filter(({ isFinal }) => !isFinal);
  if (waiting.length === 0) return due.map(({ reference }) => reference);
  const spans = waiting.flatMap(({ reference, mode, accountNumber, payableSince, expiresAt }) =>
    accountNumber === null
      ? []
      : [{ key: reference, mode, account_number: accountNumber, from: payableSince, before: expiresAt }],
  );
  const response = await bus.request(listInFlight, { spans }).catch((error) => {
    log.warn(
      { part: "expiry", sessions: waiting.length, err: error },
      "accounts did not report which transfers are in transit",
    );
    return undefined;
  });
  const inTransit = new Set(response?.under_way);
  return due
    .filter(({ isFinal, reference }) => isFinal || (response && !inTransit.has(reference)))
    .map(({ reference }) => reference);
}
