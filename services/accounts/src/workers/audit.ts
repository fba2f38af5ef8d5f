import { instantOf, listPostedMinutes } from "@collect/contracts";
import { every, type Part } from "@collect/runtime";
import {
  closedTo,
  later,
  minuteFrom,
  recentWindow,
  type Window,
  windowAfter,
  windowBefore,
} from "../domain/audit-windows.ts";
import {
  claimRound,
  minutesAgain,
  queueMinutes,
  type Round,
  releaseRound,
  storeFound,
  storeLedgerPosition,
  storeMinutes,
  storeRecent,
  storeWalkedTo,
} from "../store/audit.ts";
import { oldestReceived, receivedAfter, receivedBefore } from "../store/received-minutes.ts";
import { type Comparing, compare, spanOf } from "./comparing.ts";

export type Auditing = {
  /** How often the services are compared, and how soon again when one of them did not answer. */
  everyMs: number;
  againMs: number;
  /** About so many rows of accounts are compared at once, and for so long closed minutes are caught up on each time. */
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

type Deps = Comparing & { auditing: Auditing };

/**
 * Compares what every service holds with what came in. Each round compares what came since the last one, up to seconds ago;
 * whole minutes, once they are closed; minutes that differed, of which money was under way, or to which the ledger posted
 * later; and a piece of a walk through the whole history, so that a restored database is noticed.
 * No lock is held while the others are asked: two rounds at once would only write the same twice.
 */
export function createAuditWorker(deps: Deps): Part {
  const { pool, log, auditing } = deps;
  return every({ name: "audit", everyMs: Math.min(auditing.againMs, auditing.everyMs), log }, async (signal) => {
    const round = await claimRound(pool, auditing.everyMs);
    if (!round) return;
    try {
      const recentTo = await compareRecent(deps, round);
      const closed = await compareClosed(deps, round, signal);
      await queuePosted(deps, round, closed);
      await compareAgain(deps, round);
      await walkOn(deps, round, later(closed, recentTo));
    } catch (error) {
      await releaseRound(pool);
      throw error;
    }
  });
}

async function compareRecent(deps: Deps, { now, recent_to, began_at }: Round): Promise<Date | undefined> {
  const from = [dateOf(recent_to), dateOf(began_at)].reduce((one, other) => (one ? later(one, other) : other));
  const window = recentWindow(new Date(now), from);
  if (!window) return dateOf(recent_to);
  await compareAndStore(deps, window, { isWhole: false });
  await storeRecent(deps.pool, instantOf(window.to));
  return window.to;
}

/** The minutes that were closed since the last round; after a pause more of them, until the time is spent. Gives their end. */
async function compareClosed({ auditing, ...deps }: Deps, round: Round, signal: AbortSignal): Promise<Date> {
  const end = closedTo(new Date(round.now));
  const spentAt = performance.now() + auditing.workMs;
  let at = later(dateOf(round.minutes_to) ?? end, dateOf(round.began_at));
  if (!round.minutes_to) await storeMinutes(deps.pool, spanOf({ from: end, to: end }));
  do {
    const full = await receivedAfter(deps.pool, instantOf(at), auditing.rowsMax);
    const window = windowAfter(at, { end, full: dateOf(full) });
    if (!window) break;
    await compareAndStore(deps, window, { isWhole: true });
    await storeMinutes(deps.pool, spanOf(window));
    at = window.to;
  } while (performance.now() < spentAt && !signal.aborted);
  return at;
}

/**
 * Minutes that the ledger posted to late are compared again, whenever they were: what is dated back or ahead is found too.
 * Those that are to come by anyway are left out.
 */
async function queuePosted({ pool, bus }: Deps, round: Round, closed: Date): Promise<void> {
  const { minutes, position } = await bus.request(listPostedMinutes, { after: round.ledger_position });
  const ahead = new Date(Date.parse(round.now) + 60_000);
  const unexpected = minutes.filter((minute) => new Date(minute) < closed || new Date(minute) > ahead);
  if (unexpected.length > 0) await queueMinutes(pool, unexpected);
  await storeLedgerPosition(pool, position);
}

async function compareAgain(deps: Deps, { now, began_at }: Round): Promise<void> {
  for (const minute of await minutesAgain(deps.pool, deps.auditing.minutesAgainMax)) {
    const from = new Date(minute);
    const ended = recentWindow(new Date(now), from)?.to;
    // A minute that is still to come is compared whole: nothing can have been received in it.
    const window = ended && ended > from ? minuteFrom(from, ended) : minuteFrom(from, new Date("9999-12-31"));
    if (began_at === null || from >= new Date(began_at)) await compareAndStore(deps, window, { isWhole: true });
    else await storeFound(deps.pool, spanOf(window), { differences: [], underWay: [], isWhole: true });
  }
}

/** The next piece of the walk backwards, which begins anew once it has passed the oldest money. */
async function walkOn({ auditing, ...deps }: Deps, round: Round, end: Date): Promise<void> {
  const { pool } = deps;
  const oldest = await oldestReceived(pool);
  const walkedTo = dateOf(round.walked_to);
  const from = walkedTo && walkedTo < end ? walkedTo : end;
  const full = await receivedBefore(pool, instantOf(from), auditing.rowsMax);
  const bounds = oldest && { oldest: later(new Date(oldest), dateOf(round.began_at)), full: dateOf(full) };
  const window = bounds && windowBefore(from, bounds);
  if (window) await compareAndStore(deps, window, { isWhole: true });
  await storeWalkedTo(pool, window ? instantOf(window.from) : null);
}

async function compareAndStore(deps: Comparing, window: Window, { isWhole }: { isWhole: boolean }): Promise<void> {
  const found = await compare(deps, window);
  await storeFound(deps.pool, spanOf(window), { ...found, isWhole });
  if (found.differences.length === 0) return;
  const differences = found.differences.map(({ mode, kind, minute, what, transfers }) => ({
    minute: `${mode} ${kind} ${minute}`,
    what,
    transfers,
  }));
  deps.log.error({ alarm: "services_differ", differences }, "services do not hold what accounts took in");
}

const dateOf = (instant: string | null | undefined) =>
  instant === null || instant === undefined ? undefined : new Date(instant);
