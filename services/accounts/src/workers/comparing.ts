import type { Bus } from "@collect/bus";
import { countMinutes, instantOf, listReceived, ROWS_MAX, UNDER_WAY_MAX } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Logger } from "@collect/runtime";
import { MINUTE_MS, SECOND_MS, type Window } from "../domain/audit-windows.ts";
import { type DifferingTransfer, differencesOf, differingTransfers, heldByMinute } from "../domain/completeness.ts";
import type { Difference, Found } from "../store/audit.ts";
import {
  knownTransfers,
  minutesReceived,
  readUnderWay,
  received,
  receivedTransfers,
  type UnderWay,
} from "../store/received-minutes.ts";

export type Comparing = { pool: Pool; bus: Bus; log: Logger };

const SERVICES = ["ledger", "payments", "webhooks"] as const;
/** No more minutes of a window are looked at row by row at once: the others wait until they are compared again. */
const MINUTES_MAX = 2;
/** Once so many transfers of a minute are named, the rest of it is not looked at. */
const NAMED_MAX = 50;

/**
 * What the services hold of what was received in a window, but for what is under way: that is read first, and left out
 * everywhere. What seems to differ is looked at row by row, accounts before the others and after them; where no row differs,
 * it only arrived in between, and the minute is to be looked at again.
 */
export async function compare(deps: Comparing, window: Window): Promise<Found> {
  const underWay = await readUnderWay(deps.pool, spanOf(window), UNDER_WAY_MAX + 1);
  if (underWay.length > UNDER_WAY_MAX)
    return { differences: [], underWay: await minutesReceived(deps.pool, spanOf(window)) };

  const suspects = await suspectsIn(deps, window, { unit: "minute", underWay });
  const differences: Difference[] = [];
  const minutes = [...new Set(suspects.map((suspect) => suspect.minute))];
  for (const minute of minutes.slice(0, MINUTES_MAX)) {
    const transfers = await nameTransfers(deps, minuteWithin(minute, window));
    for (const suspect of suspects.filter((one) => one.minute === minute)) {
      const own = transfers?.filter(({ mode, kind }) => mode === suspect.mode && kind === suspect.kind) ?? [];
      if (!transfers || own.length > 0) differences.push({ ...suspect, transfers: own.slice(0, NAMED_MAX) });
    }
  }
  return { differences, underWay: [...new Set([...underWay.map(({ minute }) => minute), ...minutes])] };
}

type Suspect = Omit<Difference, "transfers">;

async function suspectsIn(
  { pool, bus }: Comparing,
  window: Window,
  { unit, underWay }: { unit: "minute" | "second"; underWay: UnderWay[] },
): Promise<Suspect[]> {
  const idsOf = (kind: UnderWay["kind"]) => underWay.filter((one) => one.kind === kind).map((one) => one.intake_id);
  const except = { collection: idsOf("collection"), suspense: idsOf("suspense") };
  const span = { ...spanOf(window), unit, except };
  const ask = async (service: (typeof SERVICES)[number]) => {
    const reply = await bus.request(countMinutes[service], span).catch((cause) => {
      throw new Error(`${service} did not say what it received`, { cause });
    });
    return countMinutes[service].output.parse(reply).minutes;
  };
  const [accounts, ledger, payments, webhooks] = await Promise.all([
    received.minutes(pool, span),
    ask("ledger"),
    ask("payments"),
    ask("webhooks"),
  ]);
  return heldByMinute({ accounts, ledger, payments, webhooks })
    .map((minute) => ({ ...minute, what: differencesOf(minute) }))
    .filter(({ what }) => what.length > 0);
}

/** The transfers that differ in a minute; undefined where it differs in more than could be looked at. */
async function nameTransfers(deps: Comparing, minute: Window): Promise<DifferingTransfer[] | undefined> {
  const underWay = await readUnderWay(deps.pool, spanOf(minute), UNDER_WAY_MAX + 1);
  if (underWay.length > UNDER_WAY_MAX) return [];
  const suspects = await suspectsIn(deps, minute, { unit: "second", underWay });
  const seconds = [...new Set(suspects.map((suspect) => Date.parse(suspect.minute)))];
  const found: DifferingTransfer[] = [];
  let isWhole = true;
  for (const second of seconds) {
    if (found.length >= NAMED_MAX) break;
    const looked = await lookAt(deps, within({ from: second, to: second + SECOND_MS }, minute));
    found.push(...looked.transfers);
    isWhole &&= looked.isWhole;
  }
  return found.length > 0 || isWhole ? found : undefined;
}

async function lookAt(deps: Comparing, second: Window): Promise<{ transfers: DifferingTransfer[]; isWhole: boolean }> {
  const { pool, bus } = deps;
  const span = spanOf(second);
  const before = await receivedTransfers(pool, { ...span, limit: ROWS_MAX });
  const ask = async (service: (typeof SERVICES)[number]) =>
    listReceived[service].output.parse(await bus.request(listReceived[service], span)).rows;
  const [ledger, payments, webhooks] = await Promise.all([ask("ledger"), ask("payments"), ask("webhooks")]);
  const all = [before, ledger, payments, webhooks];
  // Where there are more rows than were given, only as far as every service gave them.
  const ends = all.filter((rows) => rows.length === ROWS_MAX).map((rows) => rows.at(-1)?.intake_id ?? "");
  const [end] = ends.toSorted();
  const upToEnd = <Row extends { intake_id: string }>(rows: Row[]) =>
    end === undefined ? rows : rows.filter(({ intake_id }) => intake_id <= end);
  const others = { ledger: upToEnd(ledger), payments: upToEnd(payments), webhooks: upToEnd(webhooks) };
  const ids = new Set(Object.values(others).flatMap((rows) => rows.map(({ intake_id }) => intake_id)));
  const after = await knownTransfers(pool, [...ids]);
  return {
    transfers: differingTransfers({ before: upToEnd(before), others, after }),
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
