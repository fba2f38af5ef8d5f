import type { Kobo } from "@collect/money";
import type { Day } from "./statement.ts";

/** A line or a movement, by what it is compared: `kinds` are bits, one for each kind of ids that it has. */
export type Place<Row> = { row: Row; amount: Kobo; day: Day; kinds: number };

/** There are as many combinations of kinds. */
const COMBINATIONS = 8;

/**
 * The lines and movements that can only mean each other: of one amount, at most so many days apart and without ids of the same kind, where
 * neither has another one of which that is true. The order of the input changes nothing but that of the pairs.
 */
export function onlyPairs<Line, Movement>(
  lines: Place<Line>[],
  movements: Place<Movement>[],
  daysApart: number,
): { line: Line; movement: Movement }[] {
  const [linesAt, movementsAt] = [indexed(lines), indexed(movements)];
  return lines.flatMap((line) => {
    const [movement, rival] = near(movementsAt, line, daysApart);
    if (!movement || rival || near(linesAt, movement, daysApart).length > 1) return [];
    return [{ line: line.row, movement: movement.row }];
  });
}

/** By amount, and then by day and kinds: thousands may have one amount. */
type Index<Row> = Map<Kobo, Map<number, Place<Row>[]>>;

const numberOf = (day: Day) => Date.parse(day) / 86_400_000;

function indexed<Row>(places: Place<Row>[]): Index<Row> {
  const byAmount = [...Map.groupBy(places, ({ amount }) => amount)];
  return new Map(
    byAmount.map(([amount, of]) => [amount, Map.groupBy(of, ({ day, kinds }) => numberOf(day) * COMBINATIONS + kinds)]),
  );
}

/** What it can mean. Of many on one day two are enough: then it is not the only one. */
function near<Row>(index: Index<Row>, { amount, day, kinds }: Place<unknown>, daysApart: number): Place<Row>[] {
  const found: Place<Row>[] = [];
  const byDay = index.get(amount);
  if (!byDay) return found;
  for (let on = numberOf(day) - daysApart; on <= numberOf(day) + daysApart; on++)
    for (let others = 0; others < COMBINATIONS; others++)
      if ((others & kinds) === 0) found.push(...(byDay.get(on * COMBINATIONS + others)?.slice(0, 2) ?? []));
  return found;
}
