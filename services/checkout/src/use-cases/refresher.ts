import type { Bus } from "@collect/bus";
import { readSessions } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Component, Logger } from "@collect/runtime";
import type { Copy } from "../domain/freshness.ts";
import { refreshSnapshots } from "../store/session-views.ts";
import type { Brandings } from "./brandings.ts";
import { createPendingReferences, type PendingReferences, unavailable } from "./pending-references.ts";

export const REFRESH = { everyMs: 1_000, missTtlMs: 5_000 };
export type RefreshSchedule = typeof REFRESH;

export type Refresher = Component & {
  /** Whether payments recently reported that there is no such session. */
  isMissing(reference: string): boolean;
  /** Reads a session without a copy, with the next batch. Throws not_found or service_unavailable. */
  fetch(reference: string): Promise<Copy>;
  /** Reads a session again, with one of the next batches. */
  requestRefresh(reference: string): void;
};

type Deps = { bus: Bus; pool: Pool; log: Logger; brandings: Brandings };

/** Payers wait for this request, so its deadline is shorter than that of other callers. */
const READ = { ...readSessions, deadlineMs: 2_000 };

/**
 * Reads sessions from payments for all open pages: one request at a time, and at most one a second, however many
 * payers poll. The first miss after an idle second is sent at once.
 */
export function createRefresher(deps: Deps & { schedule?: RefreshSchedule }): Refresher {
  const { everyMs, missTtlMs } = deps.schedule ?? REFRESH;
  const pending = createPendingReferences({ missTtlMs });
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let lastEnd = Number.NEGATIVE_INFINITY;
  let stopped = false;

  function schedule(): void {
    if (stopped || timer || running || pending.isEmpty()) return;
    timer = setTimeout(start, Math.max(0, Math.ceil(lastEnd + everyMs - performance.now())));
  }

  function start(): void {
    timer = undefined;
    running = readBatch(deps, pending).finally(() => {
      running = undefined;
      lastEnd = performance.now();
      schedule();
    });
  }

  return {
    name: "refresher",
    isMissing: pending.isMissing,
    async fetch(reference) {
      if (stopped) throw unavailable();
      const copy = pending.wait(reference);
      schedule();
      return copy;
    },
    requestRefresh(reference) {
      pending.markStale(reference);
      schedule();
    },
    start: async () => {},
    async stop() {
      stopped = true;
      clearTimeout(timer);
      pending.rejectWaiting();
      await running;
    },
  };
}

async function readBatch({ bus, pool, log, brandings }: Deps, pending: PendingReferences): Promise<void> {
  const started = performance.now();
  const references = pending.takeBatch();
  let outcome = "ok";
  try {
    const { sessions } = readSessions.output.parse(await bus.request(READ, { references }));
    const copies = await refreshSnapshots(pool, sessions);
    brandings.learn(sessions);
    pending.resolveBatch(copies);
  } catch (error) {
    outcome = "later";
    log.warn({ err: error }, "sessions could not be read");
    pending.rejectBatch();
  }
  const duration_ms = Math.round(performance.now() - started);
  log.info({ subject: READ.subject, references: references.length, outcome, duration_ms }, "sessions read");
}
