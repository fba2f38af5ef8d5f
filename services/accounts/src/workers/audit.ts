import { instantOf, listPostedMinutes } from "@collect/contracts";
import { type Component, interval } from "@collect/runtime";
import {
  later,
  MINUTE_MS,
  minuteFrom,
  settledBefore,
  type Window,
  walkRestMs,
  windowAfter,
  windowBefore,
} from "../domain/audit-windows.ts";
import {
  claimRound,
  type Difference,
  minutesToRecheck,
  queueMinutes,
  type Round,
  releaseRound,
  storeFound,
  storeLedgerPosition,
  storeRecent,
  storeWalkedTo,
} from "../store/audit.ts";
import { oldestReceived, receivedAfter, receivedBefore } from "../store/received-minutes.ts";
import { type CompareDeps, compare, spanOf } from "./compare.ts";

export type Auditing = {
  /** How often the services are compared, and the delay before a retry when one of them did not respond. */
  everyMs: number;
  retryMs: number;
  /** The approximate rows of accounts per comparison; the time budget of a round for new transfers, and for minutes to compare again. */
  rowsMax: number;
  workMs: number;
  /** How many minutes are compared again in a round. */
  recheckMax: number;
};

export const AUDITING: Auditing = {
  everyMs: 5_000,
  retryMs: 1_000,
  rowsMax: 10_000,
  workMs: 1_000,
  recheckMax: 12,
};

/** A round pauses twice its own duration: under full load the comparison falls behind and catches up later, and does not delay money. */
const ROUND_REST = 2;

type Deps = CompareDeps & { auditing: Auditing };
/** The differences of a round, by mode, kind and minute: they are logged as one line. */
type Work = Deps & { found: Map<string, Pick<Difference, "what" | "transfers">> };

/**
 * Compares the records of every service with the intake. Each round compares the transfers received since the last one, up to
 * seconds ago, and only once; minutes that differed, that had transfers in flight, or to which the ledger posted late; and one
 * step of a walk through the whole history, so that a restored database is detected.
 * No lock is held during the requests to the others: two concurrent rounds would only write the same result twice.
 */
export function createAuditWorker(deps: Deps): Component {
  const { pool, log, auditing } = deps;
  let nextWalkAt = 0;
  let nextRoundAt = 0;
  return interval({ name: "audit", everyMs: Math.min(auditing.retryMs, auditing.everyMs), log }, async (signal) => {
    const started = performance.now();
    if (started < nextRoundAt) return;
    const round = await claimRound(pool, auditing.everyMs);
    if (!round) return;
    const work: Work = { ...deps, found: new Map() };
    try {
      const comparedTo = await compareRecent(work, round, signal);
      await queuePosted(work, round);
      await recheckMinutes(work, round);
      if (performance.now() < nextWalkAt) return;
      await continueWalk(work, round, comparedTo);
      const tookMs = performance.now() - started;
      nextWalkAt = performance.now() + walkRestMs({ tookMs, everyMs: auditing.everyMs });
    } catch (error) {
      await releaseRound(pool);
      throw error;
    } finally {
      nextRoundAt = performance.now() + ROUND_REST * (performance.now() - started);
      alarm(work);
    }
  });
}

function alarm({ log, found }: Work): void {
  if (found.size === 0) return;
  const differences = [...found].map(([minute, difference]) => ({ minute, ...difference }));
  log.error({ alarm: "services_differ", differences }, "services differ from the transfers that accounts accepted");
}

/**
 * Compares the transfers received since the last round, initially the last minute; after a pause until it has caught up or the
 * time budget is spent. Returns the end of the compared range.
 */
async function compareRecent(deps: Work, round: Round, signal: AbortSignal): Promise<Date> {
  const end = settledBefore(new Date(round.now));
  const deadline = performance.now() + deps.auditing.workMs;
  let at = later(dateOf(round.recent_to) ?? new Date(end.getTime() - MINUTE_MS), dateOf(round.began_at));
  do {
    const full = await receivedAfter(deps.pool, instantOf(at), deps.auditing.rowsMax);
    const window = windowAfter(at, { end, full: dateOf(full) });
    if (!window) break;
    await compareAndStore(deps, window, { isWhole: false });
    await storeRecent(deps.pool, spanOf(window));
    at = window.to;
  } while (performance.now() < deadline && !signal.aborted);
  return at;
}

/** Queues minutes that the ledger posted to late, whatever their age: backdated and postdated money is found too. */
async function queuePosted({ pool, bus }: Work, round: Round): Promise<void> {
  const { minutes, position } = await bus.request(listPostedMinutes, { after: round.ledger_position });
  if (minutes.length > 0) await queueMinutes(pool, minutes);
  await storeLedgerPosition(pool, position);
}

async function recheckMinutes(deps: Work, { now, began_at }: Round): Promise<void> {
  const deadline = performance.now() + deps.auditing.workMs;
  for (const minute of await minutesToRecheck(deps.pool, deps.auditing.recheckMax)) {
    if (performance.now() > deadline) return;
    const from = new Date(minute);
    const settled = settledBefore(new Date(now));
    // A future minute is compared completely: nothing can have been received in it.
    const window = minuteFrom(from, settled > from ? settled : new Date("9999-12-31"));
    if (began_at === null || from >= new Date(began_at)) await compareAndStore(deps, window, { isWhole: true });
    else await storeFound(deps.pool, spanOf(window), { differences: [], inFlight: [], isWhole: true });
  }
}

/** The next step of the walk backwards, which restarts once it has passed the oldest money. */
async function continueWalk(deps: Work, round: Round, end: Date): Promise<void> {
  const { pool, auditing } = deps;
  const oldest = await oldestReceived(pool);
  const walkedTo = dateOf(round.walked_to);
  const from = walkedTo && walkedTo < end ? walkedTo : end;
  const full = await receivedBefore(pool, instantOf(from), auditing.rowsMax);
  const bounds = oldest && { oldest: later(new Date(oldest), dateOf(round.began_at)), full: dateOf(full) };
  const window = bounds && windowBefore(from, bounds);
  if (window) await compareAndStore(deps, window, { isWhole: true });
  await storeWalkedTo(pool, window ? instantOf(window.from) : null);
}

async function compareAndStore(deps: Work, window: Window, { isWhole }: { isWhole: boolean }): Promise<void> {
  const found = await compare(deps, window);
  await storeFound(deps.pool, spanOf(window), { ...found, isWhole });
  for (const { mode, kind, minute, what, transfers } of found.differences)
    deps.found.set(`${mode} ${kind} ${minute}`, { what, transfers });
}

const dateOf = (instant: string | null | undefined) =>
  instant === null || instant === undefined ? undefined : new Date(instant);
