import type { Bus } from "@collect/bus";
import { countMinutes, instantOf } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { every, type Logger, type Part } from "@collect/runtime";
import { hourAround, hoursOf, later, recentWindow, type Window, walkWindow } from "../domain/audit-windows.ts";
import { differs, type HeldMinute, heldByMinute } from "../domain/completeness.ts";
import {
  claimRound,
  differingHours,
  releaseRound,
  replaceDifferences,
  storeProof,
  storeWalkedTo,
} from "../store/audit.ts";
import { oldestReceived, receivedMinutes } from "../store/received-minutes.ts";

export type Auditing = {
  /** How often the services are compared, and how soon again when one of them did not answer. */
  everyMs: number;
  againMs: number;
  /** How many of the older hours that differed are compared again each time. */
  differingHoursMax: number;
};

export const AUDITING: Auditing = { everyMs: 30_000, againMs: 5_000, differingHoursMax: 12 };

/** Money may be under way for so long before its minute is an alarm. */
const ALARM_AFTER_MS = 10 * 60_000;

type Deps = { pool: Pool; bus: Bus; log: Logger; auditing: Auditing };

/**
 * Compares what every service holds with what came in, by mode and closed minute of receipt. Each round compares the recent
 * minutes, which is the proof; one hour more of a walk through the whole history, so that a restored database is noticed;
 * and older hours that differed. Money that is merely under way makes its minute differ until it arrives.
 * No lock is held while the others are asked: two rounds at once would only write the same twice.
 */
export function createAuditWorker(deps: Deps): Part {
  const { pool, log, auditing } = deps;
  return every({ name: "audit", everyMs: auditing.againMs, log }, async (signal) => {
    const round = await claimRound(pool, auditing.everyMs);
    if (!round) return;
    const began = dateOf(round.began_at);
    const recent = recentWindow(new Date(round.now), began);
    await prove(deps, recent);
    for (const window of await olderWindows(deps, recent, { walkedTo: dateOf(round.walked_to), began })) {
      if (signal.aborted) return;
      await compare(deps, window);
    }
  });
}

async function prove(deps: Deps, recent: Window): Promise<void> {
  const compared: HeldMinute[] = [];
  try {
    for (const window of hoursOf(recent)) compared.push(...(await compare(deps, window)));
  } catch (error) {
    await releaseRound(deps.pool);
    throw error;
  }
  await storeProof(deps.pool, spanOf(recent), compared);
}

/** How far the walk has come down, and where it ends at the latest. */
type Walk = { walkedTo: Date | undefined; began: Date | undefined };

async function olderWindows({ pool, auditing }: Deps, recent: Window, walk: Walk): Promise<Window[]> {
  const next = await walkOn(pool, recent, walk);
  const differing = await differingHours(pool, spanOf(recent).from, auditing.differingHoursMax);
  return [...(next ? [next] : []), ...differing.map((minute) => hourAround(new Date(minute), recent))];
}

/** The next hour of the walk. It goes on from there whatever becomes of this one, which the next walk comes by again. */
async function walkOn(pool: Pool, recent: Window, { walkedTo, began }: Walk): Promise<Window | undefined> {
  const oldest = await oldestReceived(pool);
  const next = oldest && walkWindow({ walkedTo, oldest: later(new Date(oldest), began), recent });
  if (!next) return undefined;
  await storeWalkedTo(pool, instantOf(next.from));
  return next;
}

async function compare(deps: Deps, window: Window): Promise<HeldMinute[]> {
  const { pool, bus } = deps;
  const span = spanOf(window);
  const ask = async (service: keyof typeof countMinutes) => {
    const reply = await bus.request(countMinutes[service], span).catch((cause) => {
      throw new Error(`${service} did not say what it received`, { cause });
    });
    return countMinutes[service].output.parse(reply).minutes;
  };
  const [accounts, ledger, payments, webhooks] = await Promise.all([
    receivedMinutes(pool, span),
    ask("ledger"),
    ask("payments"),
    ask("webhooks"),
  ]);
  const compared = heldByMinute({ accounts, ledger, payments, webhooks });
  const differences = compared.filter(differs);
  await replaceDifferences(pool, span, differences);
  ringFor(deps, differences);
  return compared;
}

function ringFor({ log }: Deps, differences: HeldMinute[]): void {
  const overdue = differences.filter(({ minute }) => Date.parse(minute) < Date.now() - ALARM_AFTER_MS);
  if (overdue.length === 0) return;
  const minutes = overdue.map(({ mode, kind, minute }) => `${mode} ${kind} ${minute}`);
  log.error({ alarm: "services_differ", minutes }, "services do not hold what accounts took in");
}

const spanOf = ({ from, to }: Window) => ({ from: instantOf(from), to: instantOf(to) });
const dateOf = (instant: string | null) => (instant === null ? undefined : new Date(instant));
