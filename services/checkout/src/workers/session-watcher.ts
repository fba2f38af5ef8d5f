import type { Bus } from "@collect/bus";
import { SessionSnapshot, sessionChanged } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { isStale, STALE_AFTER_MS } from "../domain/freshness.ts";
import type { WatchSource } from "../domain/watch.ts";
import { findChanged } from "../store/changed-views.ts";
import type { Refresher } from "../use-cases/refresher.ts";

/** How often the copies of all watched sessions are polled, in one statement. */
export const WATCH = { everyMs: 1_000 };
export type WatchSchedule = typeof WATCH;

export type SessionWatcher = Component & WatchSource;

type Watched = { session: SessionSnapshot; watchers: Set<(session: SessionSnapshot) => void> };

/**
 * Watches the sessions of open pages in two ways. An event contains the current session and notifies its pages at
 * once, but this process may miss it. The read model, which all replicas fill, is therefore polled as well: one
 * statement a second for all watched sessions. Stale copies in it are refreshed, as they are for pages that poll.
 */
export function createSessionWatcher(deps: {
  pool: Pool;
  bus: Bus;
  refresher: Refresher;
  log: Logger;
  schedule?: WatchSchedule;
}): SessionWatcher {
  const { pool, bus, refresher, log, schedule = WATCH } = deps;
  const watched = new Map<string, Watched>();

  const onEvents = (facts: unknown[]) => {
    for (const fact of facts) {
      if (!watched.has(referenceOf(fact))) continue;
      const parsed = SessionSnapshot.safeParse(fact);
      if (parsed.success) notify(parsed.data);
    }
  };
  bus.listen(sessionChanged, onEvents, () => watched.size > 0);

  function notify(session: SessionSnapshot): void {
    const known = watched.get(session.reference);
    if (!known || known.session.version >= session.version) return;
    known.session = session;
    for (const onChange of [...known.watchers]) onChange(session);
  }

  async function poll(): Promise<void> {
    if (watched.size === 0) return;
    const now = new Date();
    const listeningSince = bus.connectedSince();
    const confirmedSince = new Date(Math.max(listeningSince.getTime(), now.getTime() - STALE_AFTER_MS));
    const known = [...watched.values()].map(({ session: { reference, version } }) => ({ reference, version }));
    for (const { reference, snapshot, refreshedAt } of await findChanged(pool, known, { confirmedSince })) {
      if (snapshot) notify(snapshot);
      const session = watched.get(reference)?.session;
      if (!session) continue;
      const copy = refreshedAt === null ? undefined : { snapshot: session, refreshedAt };
      if (!copy || isStale(copy, { now, listeningSince })) refresher.requestRefresh(reference);
    }
  }

  return {
    ...interval({ name: "watching", everyMs: schedule.everyMs, log }, poll),
    watch(session, onChange) {
      const known: Watched = watched.get(session.reference) ?? { session, watchers: new Set() };
      watched.set(session.reference, known);
      notify(session);
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

/** Read before the whole fact is parsed: hardly any of the sessions in the events are watched here. */
function referenceOf(fact: unknown): string {
  return typeof fact === "object" && fact !== null && "reference" in fact ? String(fact.reference) : "";
}
