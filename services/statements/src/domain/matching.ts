import { isReversalOfLine, missingCreditOf } from "@collect/contracts";
import type { Kobo } from "@collect/money";
import { addDays } from "./calendar.ts";
import { type Covered, isCovered } from "./covered.ts";
import { onlyPairs } from "./only-pairs.ts";
import type { Day } from "./statement.ts";

/** A line of a statement, or a part of a batched one, that is not matched yet. */
export type OpenLine = {
  id: bigint;
  bookedOn: Day;
  amount: Kobo;
  sessionId: string | null;
  references: string[];
  narration: string;
  /** One of its references is the id under which it was offered. */
  isOffered: boolean;
  /** A person says that it is our own money, or a charge that the bank gave back. */
  isOwn: boolean;
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

/** How many days apart a line and a movement may be that are matched by their amount alone: a weekend is between them. */
export const AMOUNT_DAYS = 3;

type Given = Covered & {
  lines: OpenLine[];
  movements: OpenMovement[];
  /** Whether nothing that is open was left out. */
  isAll: boolean;
  /** Or what was left out, although the rest is taken for all, is of earlier days than this one. */
  allFrom?: Day | undefined;
  /** The references on the lines are the bank's own, and say nothing: then the amount matches only what nothing else can be meant by. */
  ownReferences: boolean;
};

/**
 * Matches lines with movements: by the session id, then by the ids of one movement, then by that of a settlement, then by amount and
 * day. Depends on nothing but its input, whose order does not matter: the same lines and movements are matched in the same way.
 *
 * Of a part of what is open it only finds pairs of the same amount with the same id. The whole would find the same, but where several have a
 * claim: of two lines that the bank booked twice another one may be taken, and a line that has a session id and another movement's id, or the ids
 * of several, may be paired with another of them than the one in the part, which has an id of it and its amount as well. Sums and amounts are
 * compared once the rest is here: a movement that was left out may belong to the same line.
 */
export function match(given: Given): Match[] {
  const open: Open = {
    lines: new Set(given.lines.toSorted((a, b) => order(a.bookedOn, b.bookedOn) || order(a.id, b.id))),
    movements: new Set(given.movements.filter(hasLine).toSorted((a, b) => order(a.on, b.on) || order(a.key, b.key))),
    isAll: given.isAll,
  };
  const found = [
    ...byKey(open, "session", { ofLine: sessionsOf, ofMovement: ofSession }),
    ...byKey(open, "reference", { ofLine: (line) => line.references, ofMovement: (movement) => movement.references }),
  ];
  if (!open.isAll) return found;
  const settled = byKey(open, "settlement", { ofLine: referencesOf, ofMovement: ofSettlement });
  const closed = asClosed(open);
  for (const line of open.lines) if (line.isOwn) open.lines.delete(line);
  const byTheAmount = given.ownReferences ? byOnlyAmount(open, given) : byAmount(open, given);
  return [...found, ...settled, ...closed, ...byTheAmount];
}

/** What takes back a credit that never came has no line: it is matched with that credit. */
const hasLine = ({ references }: OpenMovement) => !references.some((id) => missingCreditOf(id) !== undefined);

type Open = { lines: Set<OpenLine>; movements: Set<OpenMovement>; isAll: boolean };
type Group = { lines: OpenLine[]; movements: OpenMovement[] };

const order = <Value extends string | bigint>(a: Value, b: Value) => (a < b ? -1 : a > b ? 1 : 0);
const ofSession = ({ sessionId }: { sessionId: string | null }) => (sessionId === null ? [] : [sessionId]);
/** Some banks' session ids are not the 30 digits of NIP: then they are a reference, or a word of the narration. */
const sessionsOf = (line: OpenLine) => (line.sessionId === null ? referencesOf(line) : [line.sessionId]);
/** Those that are apart, and those among the words of the narration. */
const referencesOf = ({ references, narration }: OpenLine) => [
  ...new Set([...references, ...(narration.match(WORD) ?? [])]),
];
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
    groups(
      {
        lines: found.filter((line) => open.lines.has(line)),
        movements: (movements.get(key) ?? []).filter((movement) => open.movements.has(movement)),
      },
      open.isAll,
    ).map((group) => take(open, group, by)),
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
 * booked twice is left over. Only the pairs, if others may have the key.
 */
function groups({ lines, movements }: Group, isAll: boolean): Group[] {
  if (lines.length === 0 || movements.length === 0) return [];
  const [byAmount, found] = [Map.groupBy(lines, ({ amount }) => amount), [] as Group[]];
  const leftMovements = movements.filter((movement) => {
    const line = byAmount.get(movement.amount)?.shift();
    if (line) found.push({ lines: [line], movements: [movement] });
    return !line;
  });
  const rest = { lines: [...byAmount.values()].flat(), movements: leftMovements };
  if (!isAll || rest.lines.length === 0 || rest.movements.length === 0) return found;
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
function byAmount(open: Open, covered: Covered): Match[] {
  const keyOf = (amount: Kobo, on: Day, kinds: number) => `${amount} ${on} ${kinds}`;
  const free = [...open.movements].filter((movement) => !movement.isClosed && isCovered(movement, covered));
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
 * The only line and the only movement of an amount, among all that is open: what is of a closed day is not matched, and may still be what the
 * other one is. So may what came before the first statement. A movement whose day has no statement yet is no rival: a line of a day before it is
 * another one's.
 */
function byOnlyAmount(open: Open, { allFrom = "", ...covered }: Given): Match[] {
  const lines = [...open.lines].map((line) => ({
    ...{ row: line, amount: line.amount, day: line.bookedOn },
    kinds: kindsOf(line) & (line.isOffered ? ~0 : ~THEIRS),
  }));
  const movements = [...open.movements]
    .filter(({ on }) => on <= covered.coveredTo)
    .map((movement) => ({ row: movement, amount: movement.amount, day: movement.on, kinds: kindsOf(movement) }));
  const hasAllRivals = (day: Day) => addDays(day, -AMOUNT_DAYS) >= allFrom;
  return onlyPairs(lines, movements, AMOUNT_DAYS)
    .filter(({ line, movement }) => !line.isClosed && !movement.isClosed && isCovered(movement, covered))
    .filter(({ line, movement }) => hasAllRivals(line.bookedOn) && hasAllRivals(movement.on))
    .map(({ line, movement }) => take(open, { lines: [line], movements: [movement] }, "amount"));
}

const [SESSION, OURS, THEIRS] = [1, 2, 4];

/**
 * Which kinds of ids it has: a session id, ours of a payout, the bank's. A line and a movement with ids of the same kind would have been
 * matched by them: they are not the same. The number of a line, by which a reversal is known, says nothing of other lines: after a restore its line has
 * another one.
 */
function kindsOf({ sessionId, references }: { sessionId: string | null; references: string[] }): number {
  const isOurs = (id: string) => id.startsWith("trf_");
  const isTheirs = (id: string) => !isOurs(id) && !isReversalOfLine(id) && id !== sessionId;
  return (
    (sessionId === null ? 0 : SESSION) | (references.some(isOurs) ? OURS : 0) | (references.some(isTheirs) ? THEIRS : 0)
  );
}
