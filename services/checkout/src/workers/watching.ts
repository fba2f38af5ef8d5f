import type { Bus } from "@collect/bus";
import { SessionSnapshot, sessionChanged } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { isStale, STALE_AFTER_MS } from "../domain/freshness.ts";
import type { Watches } from "../domain/watch.ts";
import { findMoved } from "../store/watched-views.ts";
import type { Refresher } from "../use-cases/refresher.ts";

/** How often the copies of everything that is watched are looked at, in one statement. */
export const WATCH = { everyMs: 1_000 };
export type WatchSchedule = typeof WATCH;

export type Watching = Component & Watches;

type Watched = { session: SessionSnapshot; watchers: Set<(session: SessionSnapshot) => void> };

/**
 * Watches sessions for everybody who has a page open, by two ways. An event that passes by carries the session as it now stands and
 * is told at once; it may pass this process by. So the read model, which every replica fills, is looked at as well: one statement
 * a second for all that is watched. Copies that have grown old there are renewed, as they are for those who poll.
 */
export function createWatching(deps: {
  pool: Pool;
  bus: Bus;
  refresher: Refresher;
  log: Logger;
  schedule?: WatchSchedule;
}): Watching {
  const { pool, bus, refresher, log, schedule = WATCH } = deps;
  const watched = new Map<string, Watched>();

  const tellAll = (facts: unknown[]) => {
    for (const fact of facts) {
      if (!watched.has(referenceOf(fact))) continue;
      const told = SessionSnapshot.safeParse(fact);
      if (told.success) tell(told.data);
    }
  };
  bus.listen(sessionChanged, tellAll, () => watched.size > 0);

  function tell(session: SessionSnapshot): void {
    const known = watched.get(session.reference);
    if (!known || known.session.version >= session.version) return;
    known.session = session;
    for (const onChange of [...known.watchers]) onChange(session);
  }

  async function look(): Promise<void> {
    if (watched.size === 0) return;
    const now = new Date();
    const listeningSince = bus.connectedSince();
    const confirmedSince = new Date(Math.max(listeningSince.getTime(), now.getTime() - STALE_AFTER_MS));
    const known = [...watched.values()].map(({ session: { reference, version } }) => ({ reference, version }));
    for (const { reference, snapshot, refreshedAt } of await findMoved(pool, known, { confirmedSince })) {
      if (snapshot) tell(snapshot);
      const session = watched.get(reference)?.session;
      if (!session) continue;
      const copy = refreshedAt === null ? undefined : { snapshot: session, refreshedAt };
      if (!copy || isStale(copy, { now, listeningSince })) refresher.renew(reference);
    }
  }

  return {
    ...interval({ name: "watching", everyMs: schedule.everyMs, log }, look),
    watch(session, onChange) {
      const known: Watched = watched.get(session.reference) ?? { session, watchers: new Set() };
      watched.set(session.reference, known);
      tell(session);
      known.watchers.add(onChange);
      return {
        get latest() {
          return known.session;
        },
        end() {
          known.watchers.delete(onChange);
          if (known.watchers.size === 0 && watched.get(session.reference) === known) watched.delete(session.reference);
        },
      };
    },
  };
}

/** Looked at before the whole is parsed: of all that passes by, hardly anything is watched here. */
function referenceOf(fact: unknown): string {
  return typeof fact === "object" && fact !== null && "reference" in fact ? String(fact.reference) : "";
}
