import type { Kobo } from "@collect/money";
import { addDays } from "./calendar.ts";
import type { Day } from "./statement.ts";

/** A line of a statement, or a part of a batched one, that is not matched yet. */
export type OpenLine = {
  id: bigint;
  bookedOn: Day;
  amount: Kobo;
  sessionId: string | null;
  references: string[];
};

/** What the bank reported to us, or was ordered to do, and that is not matched yet. Its amount is what reaches the account. */
export type OpenMovement = {
  key: string;
  /** When it happened, as far as we know. */
  on: Day;
  amount: Kobo;
  sessionId: string | null;
  /** The ids of this movement alone: the bank's, and ours for a payout. */
  references: string[];
  /** Of all movements that the bank settled in one sum. */
  settlementId: string | null;
};

/** `by` is the weakest evidence that was needed. Lines and movements may have different sums: a different amount. */
export type Match = { lines: bigint[]; movements: string[]; by: "session" | "reference" | "settlement" | "amount" };

/** How many days apart a line and a movement may be that are matched by their amount alone. */
const AMOUNT_DAYS = 3;

/**
 * Matches lines with movements: by the session id, then by the ids of one movement, then by that of a settlement, then by amount and
 * day. Depends on nothing but its input, whose order does not matter: the same lines and movements are matched in the same way.
 */
export function match(given: { lines: OpenLine[]; movements: OpenMovement[] }): Match[] {
  const open: Open = {
    lines: new Set(given.lines.toSorted((a, b) => order(a.bookedOn, b.bookedOn) || order(a.id, b.id))),
    movements: new Set(given.movements.toSorted((a, b) => order(a.on, b.on) || order(a.key, b.key))),
  };
  return [
    ...byKey(open, "session", { ofLine: ofSession, ofMovement: ofSession }),
    ...byKey(open, "reference", { ofLine: (line) => line.references, ofMovement: (movement) => movement.references }),
    ...byKey(open, "settlement", { ofLine: (line) => line.references, ofMovement: ofSettlement }),
    ...byAmount(open),
  ];
}

type Open = { lines: Set<OpenLine>; movements: Set<OpenMovement> };
type Group = { lines: OpenLine[]; movements: OpenMovement[] };

const order = <Value extends string | bigint>(a: Value, b: Value) => (a < b ? -1 : a > b ? 1 : 0);
const ofSession = ({ sessionId }: { sessionId: string | null }) => (sessionId === null ? [] : [sessionId]);
const ofSettlement = ({ settlementId }: OpenMovement) => (settlementId === null ? [] : [settlementId]);
const sum = (amounts: { amount: Kobo }[]) => amounts.reduce((total, { amount }) => total + amount, 0n);

type Keys = { ofLine(line: OpenLine): string[]; ofMovement(movement: OpenMovement): string[] };

function byKey(open: Open, by: Match["by"], { ofLine, ofMovement }: Keys): Match[] {
  const movements = new Map<string, OpenMovement[]>();
  for (const movement of open.movements) for (const key of ofMovement(movement)) add(movements, key, movement);
  const lines = new Map<string, OpenLine[]>();
  for (const line of open.lines) for (const key of ofLine(line)) if (movements.has(key)) add(lines, key, line);
  return [...lines].flatMap(([key, found]) =>
    pairs({
      lines: found.filter((line) => open.lines.has(line)),
      movements: (movements.get(key) ?? []).filter((movement) => open.movements.has(movement)),
    }).map((group) => take(open, group, by)),
  );
}

function add<Value>(groups: Map<string, Value[]>, key: string, value: Value): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}

function take(open: Open, { lines, movements }: Group, by: Match["by"]): Match {
  for (const line of lines) open.lines.delete(line);
  for (const movement of movements) open.movements.delete(movement);
  return { lines: lines.map(({ id }) => id), movements: movements.map(({ key }) => key), by };
}

/**
 * What belongs together of the lines and movements with one key: first pairs of the same amount; then all that is left, if their sums
 * agree (several lines of one movement, one line of many); then, in each direction, a different amount. A line that the bank has
 * booked twice is left over.
 */
function pairs({ lines, movements }: Group): Group[] {
  const [byAmount, found] = [Map.groupBy(lines, ({ amount }) => amount), [] as Group[]];
  const leftMovements = movements.filter((movement) => {
    const line = byAmount.get(movement.amount)?.shift();
    if (line) found.push({ lines: [line], movements: [movement] });
    return !line;
  });
  const leftLines = new Set([...byAmount.values()].flat());
  if (leftLines.size === 0 || leftMovements.length === 0) return found;
  const rest = { lines: [...leftLines], movements: leftMovements };
  if (sum(rest.lines) === sum(rest.movements)) return [...found, rest];
  const isIn = ({ amount }: { amount: Kobo }) => amount > 0n;
  const isOut = ({ amount }: { amount: Kobo }) => amount < 0n;
  const directions = [isIn, isOut].map((is) => ({
    lines: rest.lines.filter(is),
    movements: rest.movements.filter(is),
  }));
  return [...found, ...directions.filter((each) => each.lines.length > 0 && each.movements.length > 0)];
}

/** The nearest day first. A line and a movement that both have a session id would have been matched by it. */
function byAmount(open: Open): Match[] {
  const keyOf = (amount: Kobo, on: Day, hasSession: boolean) => `${amount} ${on} ${hasSession}`;
  const movements = Map.groupBy(open.movements, ({ amount, on, sessionId }) => keyOf(amount, on, sessionId !== null));
  const nearest = Array.from({ length: AMOUNT_DAYS + 1 }, (_, days) => (days === 0 ? [0] : [-days, days])).flat();
  return nearest.flatMap((days) =>
    [...open.lines].flatMap((line) => {
      const on = addDays(line.bookedOn, days);
      const unnamed = movements.get(keyOf(line.amount, on, false));
      const named = line.sessionId === null ? movements.get(keyOf(line.amount, on, true)) : undefined;
      const movement = unnamed?.shift() ?? named?.shift();
      return movement ? take(open, { lines: [line], movements: [movement] }, "amount") : [];
    }),
  );
}
