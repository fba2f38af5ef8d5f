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
  narration: string;
  /** Its day is closed. */
  isClosed: boolean;
  /** The match by the amount alone that it is in. */
  match: bigint | null;
};

/** What the bank reported to us, or was ordered to do, and that is not matched yet. Its amount is what reaches the account. */
export type OpenMovement = {
  key: string;
  /** When it happened, as far as we know. */
  on: Day;
  /** The day that our books have it on; null while they do not. */
  bookedOn: Day | null;
  amount: Kobo;
  sessionId: string | null;
  /** The ids of this movement alone: the bank's, and ours for a payout. */
  references: string[];
  /** Of all movements that the bank settled in one sum. */
  settlementId: string | null;
  isClosed: boolean;
  match: bigint | null;
};

/** `by` is the weakest evidence that was needed. Lines and movements may have different sums: a different amount. */
export type Match = { lines: bigint[]; movements: string[]; by: "session" | "reference" | "settlement" | "amount" };

/** How many days apart a line and a movement may be that are matched by their amount alone. */
const AMOUNT_DAYS = 3;

type Given = {
  lines: OpenLine[];
  movements: OpenMovement[];
  /** Up to which day there are statements of the account. */
  coveredTo: Day;
};

/**
 * Matches lines with movements: by the session id, then by the ids of one movement, then by that of a settlement, then by amount and
 * day. Depends on nothing but its input, whose order does not matter: the same lines and movements are matched in the same way.
 */
export function match(given: Given): Match[] {
  const open: Open = {
    lines: new Set(given.lines.toSorted((a, b) => order(a.bookedOn, b.bookedOn) || order(a.id, b.id))),
    movements: new Set(given.movements.toSorted((a, b) => order(a.on, b.on) || order(a.key, b.key))),
  };
  return [
    ...byKey(open, "session", { ofLine: sessionsOf, ofMovement: ofSession }),
    ...byKey(open, "reference", { ofLine: (line) => line.references, ofMovement: (movement) => movement.references }),
    ...byKey(open, "settlement", { ofLine: (line) => line.references, ofMovement: ofSettlement }),
    ...asClosed(open),
    ...byAmount(open, given.coveredTo),
  ];
}

type Open = { lines: Set<OpenLine>; movements: Set<OpenMovement> };
type Group = { lines: OpenLine[]; movements: OpenMovement[] };

const order = <Value extends string | bigint>(a: Value, b: Value) => (a < b ? -1 : a > b ? 1 : 0);
const ofSession = ({ sessionId }: { sessionId: string | null }) => (sessionId === null ? [] : [sessionId]);
/** Some banks' session ids are not the 30 digits of NIP: then they are a reference, or a word of the narration. */
const sessionsOf = ({ sessionId, references, narration }: OpenLine) =>
  sessionId === null ? [...new Set([...references, ...(narration.match(WORD) ?? [])])] : [sessionId];
const WORD = /[0-9A-Za-z]{12,100}/g;
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
  if (lines.length === 0 || movements.length === 0) return [];
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

/** What a closed day was closed with by the amount stays so, if no better evidence has taken the line or the movement. */
function asClosed(open: Open): Match[] {
  const movements = new Map([...open.movements].map((movement) => [movement.match, movement]));
  return [...open.lines].flatMap((line) => {
    const movement = line.match === null ? undefined : movements.get(line.match);
    return movement && (line.isClosed || movement.isClosed)
      ? take(open, { lines: [line], movements: [movement] }, "amount")
      : [];
  });
}

/**
 * The nearest day first, among what contradicts in no id. It is weak evidence: it adds nothing to a closed day, whose lines persons have
 * vouched for, and waits for the statement of the movement's day, which may have a line of its own for it.
 */
function byAmount(open: Open, coveredTo: Day): Match[] {
  const keyOf = (amount: Kobo, on: Day, kinds: number) => `${amount} ${on} ${kinds}`;
  const isCovered = ({ on, bookedOn }: OpenMovement) => on <= coveredTo && (bookedOn ?? on) <= coveredTo;
  const free = [...open.movements].filter((movement) => !movement.isClosed && isCovered(movement));
  const movements = Map.groupBy(free, (movement) => keyOf(movement.amount, movement.on, kindsOf(movement)));
  const found = [...new Set(free.map(kindsOf))].toSorted();
  const days = new Set(free.map(({ on }) => on));
  const lines = Map.groupBy(
    [...open.lines].filter(({ isClosed }) => !isClosed),
    ({ bookedOn }) => bookedOn,
  );
  const nearest = Array.from({ length: AMOUNT_DAYS + 1 }, (_, apart) => (apart === 0 ? [0] : [-apart, apart])).flat();
  return nearest.flatMap((apart) =>
    [...lines].flatMap(([bookedOn, ofDay]) => {
      const on = addDays(bookedOn, apart);
      if (!days.has(on)) return [];
      return ofDay.flatMap((line) => {
        if (!open.lines.has(line)) return [];
        const group = found
          .filter((kinds) => (kinds & kindsOf(line)) === 0)
          .map((kinds) => movements.get(keyOf(line.amount, on, kinds)))
          .find((each) => each && each.length > 0);
        const movement = group?.shift();
        return movement ? take(open, { lines: [line], movements: [movement] }, "amount") : [];
      });
    }),
  );
}

/**
 * Which kinds of ids it has: a session id, ours of a payout, the bank's. A line and a movement with ids of the same kind would have been
 * matched by them: they are not the same.
 */
function kindsOf({ sessionId, references }: { sessionId: string | null; references: string[] }): number {
  const isOurs = (id: string) => id.startsWith("trf_");
  const isTheirs = (id: string) => !isOurs(id) && id !== sessionId;
  return (sessionId === null ? 0 : 1) + (references.some(isOurs) ? 2 : 0) + (references.some(isTheirs) ? 4 : 0);
}
