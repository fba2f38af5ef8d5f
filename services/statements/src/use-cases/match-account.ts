import { type Pool, type Session, transaction } from "@collect/database";
import { type Match, match } from "../domain/matching.ts";
import { lockBankAccount } from "../store/bank-accounts.ts";
import { shareDays } from "../store/closings.ts";
import {
  idOf,
  incompleteSettlements,
  insertMatches,
  readCovered,
  readOpen,
  readWeak,
  removeMatches,
} from "../store/matches.ts";

/** How many lines and movements a run reads, which are in memory at once: more only where nothing in so many can be matched. */
const ROWS_FIRST = 12_500;
const ROWS_MAX = 100_000;
const TIMES_MORE = 4;

/**
 * Matches whatever is open in an account. Matches that are found again stay as they are, so that a second run changes nothing; those by
 * the amount alone give way to better evidence; those by hand are never touched.
 */
export async function matchAccount(pool: Pool, account: string, first = ROWS_FIRST): Promise<void> {
  let max: number | undefined = first;
  while (max !== undefined) max = await matchOpen(pool, account, max);
}

/** How many the next run reads, if there is one. */
function matchOpen(pool: Pool, account: string, max: number): Promise<number | undefined> {
  return transaction(pool, async (tx) => {
    const locked = await lockBankAccount(tx, account);
    if (!locked) return undefined;
    // What is matched is what the days were closed with: none is closed meanwhile.
    await shareDays(tx);
    const { gone, found, isAll } = await findMatches(tx, { account, ...locked }, max);
    await removeMatches(tx, gone.map(idOf));
    await insertMatches(tx, found, { account, by: null });
    if (isAll) return undefined;
    if (found.length > 0) return max;
    return max < ROWS_MAX ? Math.min(TIMES_MORE * max, ROWS_MAX) : undefined;
  });
}

type Account = { account: string; own_references: boolean };
type Changes = { gone: Matched[]; found: Matched[]; isAll: boolean };
type Matched = Pick<Match, "lines" | "movements" | "by">;

/** The matches by the amount that are no longer found, and what is found besides. The rows are in memory here only, not while it is written. */
async function findMatches(tx: Session, { account, own_references }: Account, max: number): Promise<Changes> {
  const open = await readWhole(tx, account, max);
  const given = { ...(await readCovered(tx, account)), ownReferences: own_references };
  if (!open.isAll) {
    const found = match({ ...open, ...given });
    if (found.length > 0 || max < ROWS_MAX) return { gone: [], found, isAll: false };
  }
  // Where more is open than is ever read, what was read is taken for all.
  const weak = await readWeak(tx, account, ROWS_MAX);
  const lines = [...open.lines, ...weak.lines];
  const movements = [...open.movements, ...weak.movements];
  const matches = match({ ...given, lines, movements, isAll: true, allFrom: open.allFrom });
  const formerly = weakMatches(weak);
  const [before, after] = [formerly, matches.filter(({ by }) => by === "amount")].map((of) => new Set(of.map(keyOf)));
  return {
    gone: formerly.filter((each) => !after?.has(keyOf(each))),
    found: matches.filter((each) => each.by !== "amount" || !before?.has(keyOf(each))),
    isAll: open.isAll,
  };
}

/** A payment that was notified after its settlement was matched belongs to the same line, which is open again then. */
async function readWhole(tx: Session, account: string, max: number): ReturnType<typeof readOpen> {
  const open = await readOpen(tx, account, max);
  const incomplete = open.isAll ? await incompleteSettlements(tx, account) : [];
  await removeMatches(tx, incomplete);
  return incomplete.length === 0 ? open : readOpen(tx, account, max);
}

const keyOf = ({ lines, movements }: Matched) => `${lines.join()} ${movements.join()}`;

/** The matches by the amount, each of one line and one movement. */
function weakMatches({ lines, movements }: Awaited<ReturnType<typeof readWeak>>): Matched[] {
  const byMatch = new Map(movements.flatMap(({ key, match }) => (match === null ? [] : [[match, key] as const])));
  return lines.flatMap(({ id, match }) => {
    const key = match === null ? undefined : byMatch.get(match);
    return key === undefined ? [] : [{ lines: [id], movements: [key], by: "amount" as const }];
  });
}
