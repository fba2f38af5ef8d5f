import type { Bus, Epochs } from "@collect/bus";
import { listUnderWay } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import type { Announce } from "../adapters/announcements.ts";
import { type DueSession, expireSessions, pageOfDue, releaseLapsedSlots } from "../store/due-sessions.ts";

/** How often, how long after its end a session is looked at, and how many at a time. */
export type Expiring = { everyMs: number; graceMs: number; pageMax: number };

/** The grace is for intakes that were about to commit when the time was up; `accounts` takes at most 500 questions at once. */
export const EXPIRING: Expiring = { everyMs: 2_000, graceMs: 2_000, pageMax: 500 };

type Deps = { pool: Pool; bus: Bus; log: Logger; announce: Announce; epochs: Epochs; expiring: Expiring };

/**
 * Closes the sessions whose time is up and gives up the slots of those that are watched no more. A session is called expired
 * only once all that was received before its end has been through: those with money under way wait, at most until their watch
 * window is over. Replicas may all do this at once.
 */
export function createExpiryWorker(deps: Deps): Component {
  const { pool, log, announce, epochs, expiring } = deps;
  const { everyMs, graceMs, pageMax } = expiring;
  return interval({ name: "expiry", everyMs, log }, async (signal, stepped) => {
    // Money that was lost may have come in time.
    if (!epochs.isCurrent()) return;
    let page: DueSession[] = [];
    do {
      stepped();
      page = await pageOfDue(pool, { graceMs, after: page.at(-1), pageMax });
      const ready = await withoutUnderWay(deps, page);
      if (ready.length > 0) announce(await expireSessions(pool, ready));
    } while (page.length === pageMax && !signal.aborted);
    while ((await releaseLapsedSlots(pool, pageMax)) === pageMax && !signal.aborted);
  });
}

/**
 * References of those that no money received in time can reach any more: nothing that came while a session was open is still under
 * way. All that are not final wait while accounts does not answer.
 */
async function withoutUnderWay({ bus, log }: Deps, due: DueSession[]): Promise<string[]> {
  const waiting = due.filter(({ isFinal }) => !isFinal);
  if (waiting.length === 0) return due.map(({ reference }) => reference);
  const spans = waiting.map(({ reference, mode, accountNumber, createdAt, expiresAt }) => ({
    key: reference,
    mode,
    account_number: accountNumber,
    from: createdAt,
    before: expiresAt,
  }));
  const answered = await bus.request(listUnderWay, { spans }).catch((error) => {
    log.warn({ part: "expiry", sessions: waiting.length, err: error }, "accounts does not say what is under way");
    return undefined;
  });
  const underWay = new Set(answered?.under_way);
  return due
    .filter(({ isFinal, reference }) => isFinal || (answered && !underWay.has(reference)))
    .map(({ reference }) => reference);
}
