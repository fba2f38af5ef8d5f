import type { Bus } from "@collect/bus";
import { countMinutes, IN_FLIGHT_MAX, instantOf, listReceived, ROWS_MAX } from "@collect/contracts";
import { type Pool, readClock } from "@collect/database";
import type { Logger } from "@collect/runtime";
import { MINUTE_MS, SECOND_MS, type Window } from "../domain/audit-windows.ts";
import { countsByMinute, type DifferingTransfer, differencesOf, differingTransfers } from "../domain/completeness.ts";
import type { Difference, Found } from "../store/audit.ts";
import { erasedSince } from "../store/erasures.ts";
import {
  type InFlight,
  knownTransfers,
  minutesReceived,
  readInFlight,
  received,
  receivedTransfers,
} from "../store/received-minutes.ts";

export type CompareDeps = { pool: Pool; bus: Bus; log: Logger };

const SERVICES = ["ledger", "payments", "webhooks"] as const;
/** At most this many minutes of a window are compared row by row: the others wait until they are compared again. */
const MINUTES_MAX = 2;
/** Once this many transfers of a minute differ, the rest of it is not compared. */
const DIFFERENCES_MAX = 50;

/**
 * Compares the services' records of the transfers received in a window, except those in flight: they are read first and excluded
 * everywhere. Minutes that seem to differ are compared row by row, with accounts read before and after the others; if no row
 * differs, the transfers only arrived in between, and the minute is compared again later.
 */
export async function compare(deps: CompareDeps, window: Window): Promise<Found> {
  const inFlight = await readInFlight(deps.pool, spanOf(window), IN_FLIGHT_MAX + 1);
  if (inFlight.length > IN_FLIGHT_MAX)
    return { differences: [], inFlight: await minutesReceived(deps.pool, spanOf(window)) };

  const suspects = await suspectsIn(deps, window, { unit: "minute", inFlight });
  const differences: Difference[] = [];
  const minutes = [...new Set(suspects.map((suspect) => suspect.minute))];
  for (const minute of minutes.slice(0, MINUTES_MAX)) {
    const transfers = await findDiffering(deps, minuteWithin(minute, window));
    for (const suspect of suspects.filter((one) => one.minute === minute)) {
      const own = transfers?.filter(({ mode, kind }) => mode === suspect.mode && kind === suspect.kind) ?? [];
      if (!transfers || own.length > 0) differences.push({ ...suspect, transfers: own.slice(0, DIFFERENCES_MAX) });
    }
  }
  return { differences, inFlight: [...new Set([...inFlight.map(({ minute }) => minute), ...minutes])] };
}

type Suspect = Omit<Difference, "transfers">;

async function suspectsIn(
  { pool, bus }: CompareDeps,
  window: Window,
  { unit, inFlight }: { unit: "minute" | "second"; inFlight: InFlight[] },
): Promise<Suspect[]> {
  const idsOf = (kind: InFlight["kind"]) => inFlight.filter((one) => one.kind === kind).map((one) => one.intake_id);
  const except = { collection: idsOf("collection"), suspense: idsOf("suspense") };
  const span = { ...spanOf(window), unit, except };
  const request = async (service: (typeof SERVICES)[number]) => {
    const response = await bus.request(countMinutes[service], span).catch((cause) => {
      throw new Error(`${service} did not return its counts`, { cause });
    });
    return countMinutes[service].output.parse(response).minutes;
  };
  const [accounts, ledger, payments, webhooks] = await Promise.all([
    received.minutes(pool, span),
    request("ledger"),
    request("payments"),
    request("webhooks"),
  ]);
  return countsByMinute({ accounts, ledger, payments, webhooks })
    .map((minute) => ({ ...minute, what: differencesOf(minute) }))
    .filter(({ what }) => what.length > 0);
}

/** The transfers that differ in a minute; undefined when the minute differs in more rows than were compared. */
async function findDiffering(deps: CompareDeps, minute: Window): Promise<DifferingTransfer[] | undefined> {
  const inFlight = await readInFlight(deps.pool, spanOf(minute), IN_FLIGHT_MAX + 1);
  if (inFlight.length > IN_FLIGHT_MAX) return [];
  const suspects = await suspectsIn(deps, minute, { unit: "second", inFlight });
  const seconds = [...new Set(suspects.map((suspect) => Date.parse(suspect.minute)))];
  const found: DifferingTransfer[] = [];
  let isWhole = true;
  for (const second of seconds) {
    if (found.length >= DIFFERENCES_MAX) break;
    const compared = await compareRows(deps, within({ from: second, to: second + SECOND_MS }, minute));
    found.push(...compared.transfers);
    isWhole &&= compared.isWhole;
  }
  return found.length > 0 || isWhole ? found : undefined;
}

async function compareRows(
  deps: CompareDeps,
  second: Window,
): Promise<{ transfers: DifferingTransfer[]; isWhole: boolean }> {
  const { pool, bus } = deps;
  const span = spanOf(second);
  const began = await readClock(pool);
  const before = await receivedTransfers(pool, { ...span, limit: ROWS_MAX });
  const request = async (service: (typeof SERVICES)[number]) =>
    listReceived[service].output.parse(await bus.request(listReceived[service], span)).rows;
  const [ledger, payments, webhooks] = await Promise.all([request("ledger"), request("payments"), request("webhooks")]);
  const all = [before, ledger, payments, webhooks];
  // If a service has more rows than one page, compares only up to where every page reaches.
  const ends = all.filter((rows) => rows.length === ROWS_MAX).map((rows) => rows.at(-1)?.intake_id ?? "");
  const [end] = ends.toSorted();
  const upToEnd = <Row extends { intake_id: string }>(rows: Row[]) =>
    end === undefined ? rows : rows.filter(({ intake_id }) => intake_id <= end);
  const others = { ledger: upToEnd(ledger), payments: upToEnd(payments), webhooks: upToEnd(webhooks) };
  const ids = new Set(Object.values(others).flatMap((rows) => rows.map(({ intake_id }) => intake_id)));
  const after = await knownTransfers(pool, [...ids]);
  // An erasure changes an event and then its hash.
  const erased = await erasedSince(pool, [...ids], began);
  const whole = before.map((row) => (erased.has(row.intake_id) ? { ...row, is_finished: false } : row));
  return {
    transfers: differingTransfers({ before: upToEnd(whole), others, after }),
    isWhole: end === undefined,
  };
}

const minuteWithin = (minute: string, window: Window): Window =>
  within({ from: Date.parse(minute), to: Date.parse(minute) + MINUTE_MS }, window);

function within({ from, to }: { from: number; to: number }, window: Window): Window {
  return {
    from: new Date(Math.max(from, window.from.getTime())),
    to: new Date(Math.min(to, window.to.getTime())),
  };
}

export const spanOf = ({ from, to }: Window) => ({ from: instantOf(from), to: instantOf(to) });
