import { instantOf, listPostedMinutes } from "@collect/contracts";
import { type Component, interval } from "@collect/runtime";
import {
  later,
  MINUTE_MS,
  minuteFrom,
  settledBefore,
  type Window,
  windowAfter,
  windowBefore,
} from "../domain/audit-windows.ts";
import {
  claimRound,
  type Difference,
  minutesAgain,
  queueMinutes,
  type Round,
  releaseRound,
  storeFound,
  storeLedgerPosition,
  storeRecent,
  storeWalkedTo,
} from "../store/audit.ts";
import { oldestReceived, receivedAfter, receivedBefore } from "../store/received-minutes.ts";
import { type Comparing, compare, spanOf } from "./comparing.ts";

export type Auditing = {
  /** How often the services are compared, and how soon again when one of them did not answer. */
  everyMs: number;
  againMs: number;
  /** About so many rows of accounts are compared at once; what is new, and minutes again, each for so long in a round. */
  rowsMax: number;
  workMs: number;
  /** How many minutes are compared again each time. */
  minutesAgainMax: number;
};

export const AUDITING: Auditing = {
  everyMs: 5_000,
  againMs: 1_000,
  rowsMax: 10_000,
  workMs: 1_000,
  minutesAgainMax: 12,
};

/** The walk rests so many times as long as its last round took: a busy past costs no more of the present, a busy present has it wait. */
const WALK_REST = 19;
/** A whole round rests twice as long as it took: flat out, comparing falls behind and catches up later, and money does not wait for it. */
const ROUND_REST = 2;

type Deps = Comparing & { auditing: Auditing };
/** What a round finds, by mode, kind and minute: one line of the log names all of it. */
type Work = Deps & { found: Map<string, Pick<Difference, "what" | "transfers">> };

/**
 * Compares what every service holds with what came in. Each round compares what came since the last one, up to seconds ago,
 * and only once; minutes that differed, of which money was under way, or to which the ledger posted late; and a piece of a
 * walk through the whole history, so that a restored database is noticed.
 * No lock is held while the others are asked: two rounds at once would only write the same twice.
 */
export function createAuditWorker(deps: Deps): Component {
  const { pool, log, auditing } = deps;
  let nextWalkAt = 0;
  let nextRoundAt = 0;
  return interval({ name: "audit", everyMs: Math.min(auditing.againMs, auditing.everyMs), log }, async (signal) => {
    const started = performance.now();
    if (started < nextRoundAt) return;
    const round = await claimRound(pool, auditing.everyMs);
    if (!round) return;
    const work: Work = { ...deps, found: new Map() };
    try {
      const comparedTo = await compareRecent(work, round, signal);
      await queuePosted(work, round);
      await compareAgain(work, round);
      if (performance.now() < nextWalkAt) return;
      await walkOn(work, round, comparedTo);
      nextWalkAt = performance.now() + WALK_REST * (performance.now() - started);
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
  log.error({ alarm: "services_differ", differences }, "services do not hold what accounts took in");
}

/**
 * What came since the last round, at first the last minute; after a pause more of it, until the time is spent. Gives how far it
 * has come.
 */
async function compareRecent(deps: Work, round: Round, signal: AbortSignal): Promise<Date> {
  const end = settledBefore(new Date(round.now));
  const spentAt = performance.now() + deps.auditing.workMs;
  let at = later(dateOf(round.recent_to) ?? new Date(end.getTime() - MINUTE_MS), dateOf(round.began_at));
  do {
    const full = await receivedAfter(deps.pool, instantOf(at), deps.auditing.rowsMax);
    const window = windowAfter(at, { end, full: dateOf(full) });
    if (!window) break;
    await compareAndStore(deps, window, { isWhole: false });
    await storeRecent(deps.pool, spanOf(window));
    at = window.to;
  } while (performance.now() < spentAt && !signal.aborted);
  return at;
}

/** Minutes that the ledger posted to late are compared again, whenever they were: what is dated back or ahead is found too. */
async function queuePosted({ pool, bus }: Work, round: Round): Promise<void> {
  const { minutes, position } = await bus.request(listPostedMinutes, { after: round.ledger_position });
  if (minutes.length > 0) await queueMinutes(pool, minutes);
  await storeLedgerPosition(pool, position);
}

async function compareAgain(deps: Work, { now, began_at }: Round): Promise<void> {
  const spentAt = performance.now() + deps.auditing.workMs;
  for (const minute of await minutesAgain(deps.pool, deps.auditing.minutesAgainMax)) {
    if (performance.now() > spentAt) return;
    const from = new Date(minute);
    const settled = settledBefore(new Date(now));
    // A minute that is still to come is compared whole: nothing can have been received in it.
    const window = minuteFrom(from, settled > from ? settled : new Date("9999-12-31"));
    if (began_at === null || from >= new Date(began_at)) await compareAndStore(deps, window, { isWhole: true });
    else await storeFound(deps.pool, spanOf(window), { differences: [], underWay: [], isWhole: true });
  }
}

/** The next piece of the walk backwards, which begins anew once it has passed the oldest money. */
async function walkOn(deps: Work, round: Round, end: Date): Promise<void> {
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
