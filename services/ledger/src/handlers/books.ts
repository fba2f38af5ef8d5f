import { answer, type Epochs, type Request } from "@collect/bus";
import {
  browseJournal,
  browseStatement,
  decodeCursor,
  encodeCursor,
  getStatementTotals,
  type Input,
  instantOf,
  type MerchantScope,
  type Result,
} from "@collect/contracts";
import { type Pool, readClock } from "@collect/database";
import { z } from "zod";
import {
  after,
  assertProved,
  type Balances,
  type Movement,
  movementOf,
  NOTHING,
  spanOfMonth,
} from "../domain/books.ts";
import {
  balancesAt,
  legsOf,
  listBooked,
  type Period,
  type Position,
  positionsOf,
  sumMovements,
} from "../store/books.ts";
import { createSums } from "../use-cases/sum-months.ts";

type Given = { pool: Pool; lists: Pool; epochs: Pick<Epochs, "assertCurrent"> };
type Deps = Given & { sum: ReturnType<typeof createSums> };

/** A merchant's journal and the statements of its months. Books that lack lost postings would be read as missing money. */
export function bookRequests(given: Given): Request[] {
  const { epochs, lists } = given;
  const deps = { ...given, sum: createSums((merchant, period) => sumMovements(lists, merchant, period)) };
  return [
    answer(browseJournal, (input) => {
      epochs.assertCurrent();
      return pageOfJournal(deps, input);
    }),
    answer(getStatementTotals, async ({ merchant, month }): Promise<Result<typeof getStatementTotals>> => {
      epochs.assertCurrent();
      const { period, opening, closing, sum, count } = await openStatement(deps, merchant, month);
      const { from, before } = spanOfMonth(month);
      return {
        from: instantOf(from),
        before: instantOf(before),
        as_of: period.asOf,
        opening,
        money_in: sum.moneyIn,
        fees: sum.fee,
        settled: sum.settled,
        transfers_out: sum.transferOut,
        returned: sum.returned,
        closing,
        lines: count,
      };
    }),
    answer(browseStatement, (input) => {
      epochs.assertCurrent();
      return pageOfStatement(deps, input);
    }),
  ];
}

async function pageOfJournal({ pool, lists }: Deps, input: Input<typeof browseJournal>) {
  const { merchant, limit, from, before } = input;
  const [start, end] = decodeCursor(input.after, [Place, Place]) ?? [];
  const period =
    start && end
      ? { start: positionAt(start), end: positionAt(end) }
      : await positionsOf(pool, merchant, { from, before });
  const { booked, next } = await listBooked(lists, merchant, { ...period, limit });
  const ids = booked.map(({ transaction_id }) => transaction_id);
  const legs = Map.groupBy(await legsOf(lists, merchant, ids), ({ transaction_id }) => transaction_id);
  const data = booked.flatMap(({ transaction_id, kind, key, recorded_at }) =>
    (legs.get(transaction_id) ?? []).map(({ account, amount, balance }) => ({
      recorded_at,
      transaction_id,
      kind,
      key,
      account,
      debit: amount < 0n ? -amount : null,
      credit: amount > 0n ? amount : null,
      balance,
    })),
  );
  return { data, next: next && encodeCursor([placeOf(next), placeOf(period.end)]) };
}

/** A month whose lines lead from its opening to its closing balances, which is proved here. */
async function openStatement({ pool, lists, sum: sumOf }: Deps, merchant: MerchantScope, month: string) {
  const { from, before } = spanOfMonth(month);
  const period = await positionsOf(pool, merchant, { from: from.toISOString(), before: before.toISOString() });
  const opening = await balancesAt(lists, merchant, period.start);
  const closing = await balancesAt(lists, merchant, period.end);
  const { sum, count } = await sumOf(merchant, period);
  assertProved(opening, sum, closing);
  return { period, opening, closing, sum, count };
}

type Line = Result<typeof browseStatement>["data"][number];

async function pageOfStatement(deps: Deps, input: Input<typeof browseStatement>) {
  const { merchant, month, limit } = input;
  const { from, before } = spanOfMonth(month);
  const { period, opening, isFirst } = await placeInStatement(deps, input);
  const data: Line[] = isFirst ? [lineOf({ recorded_at: instantOf(from), kind: "opening", key: month }, opening)] : [];
  const { booked, next } = await listBooked(deps.lists, merchant, { ...period, limit });
  let balances = opening;
  for (const transaction of booked) {
    const movement = movementOf(transaction);
    if (!movement) continue;
    balances = after(balances, movement);
    data.push(lineOf(transaction, balances, movement));
  }
  if (next) {
    const reached = `${balances.collected}.${balances.settled}`;
    return { data, next: encodeCursor([placeOf(next), placeOf(period.end), reached]) };
  }
  const closing = await balancesAt(deps.lists, merchant, period.end);
  assertProved(balances, NOTHING, closing);
  const now = await readClock(deps.lists);
  const closedAt = instantOf(new Date(Math.min(now.getTime(), before.getTime())));
  return { data: [...data, lineOf({ recorded_at: closedAt, kind: "closing", key: month }, closing)], next: null };
}

/** The first page, proved before anything of it is returned, or where the page before ended. */
async function placeInStatement(deps: Deps, { merchant, month, after: cursor }: Input<typeof browseStatement>) {
  const [start, end, reached] = decodeCursor(cursor, [Place, Place, Reached]) ?? [];
  if (!start || !end || !reached) return { ...(await openStatement(deps, merchant, month)), isFirst: true };
  const [collected = 0n, settled = 0n] = reached.split(".").map(BigInt);
  const period: Period = { start: positionAt(start), end: positionAt(end) };
  return { period, opening: { collected, settled } satisfies Balances, isFirst: false };
}

function lineOf(
  { recorded_at, kind, key }: Pick<Line, "recorded_at" | "kind" | "key">,
  { collected, settled }: Balances,
  movement: Movement = NOTHING,
): Line {
  const { moneyIn, fee, transferOut, returned } = movement;
  return {
    recorded_at,
    kind,
    key,
    money_in: moneyIn || null,
    fee: fee || null,
    settled: movement.settled || null,
    transfer_out: transferOut || null,
    returned: returned || null,
    collected_balance: collected,
    settled_balance: settled,
  };
}

/** In a cursor: the versions of a position, and balances in kobo. */
const Place = z.string().regex(/^\d{1,18}\.\d{1,18}\.\d{1,18}$/);
const Reached = z.string().regex(/^-?\d{1,18}\.-?\d{1,18}$/);

const placeOf = ({ collected, payouts, settled }: Position) => `${collected}.${payouts}.${settled}`;

function positionAt(place: string): Position {
  const [collected = 0n, payouts = 0n, settled = 0n] = place.split(".").map(BigInt);
  return { collected, payouts, settled };
}
