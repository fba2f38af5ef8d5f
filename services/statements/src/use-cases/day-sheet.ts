import type { Bus } from "@collect/bus";
import { DAY_ITEMS_MAX, DaySheet, getBankBalances, Problem } from "@collect/contracts";
import type { Pool, Session } from "@collect/database";
import { dayAfter, endOf, startOf } from "../domain/calendar.ts";
import { type Item, isUndecided, itemsOf } from "../domain/sheet.ts";
import { type Day, kobo } from "../domain/statement.ts";
import {
  type Explanation,
  readAccounts,
  readClosing,
  readDay,
  readExplanations,
  readLoose,
  readOrder,
} from "../store/days.ts";
import { isComplete } from "../store/movements.ts";

type Ledger = DaySheet["ledger"];

/** What the ledger had on the bank when the day began and ended. */
export async function readLedger(bus: Bus, day: Day): Promise<Ledger> {
  const input = { mode: "live" as const, before: [startOf(day), endOf(day)] };
  const { balances } = getBankBalances.output.parse(await bus.request(getBankBalances, input));
  const [opening = 0n, closing = 0n] = balances;
  return { opening, closing };
}

/** A closed day as it was closed; undefined for an open one. */
export async function readClosedDay(tx: Session | Pool, day: Day): Promise<DaySheet | undefined> {
  const closing = await readClosing(tx, day);
  if (!closing) return undefined;
  const sheet = DaySheet.parse(closing.sheet);
  return { ...sheet, state: "closed", closed_at: closing.closed_at, closed_by: closing.closed_by, blocked_by: null };
}

/** An open day as it is now. */
export async function readOpenDay(tx: Session, day: Day, ledger: Ledger): Promise<DaySheet> {
  const accounts = await readAccounts(tx, day);
  if (accounts.every(({ covered_to }) => covered_to === null))
    throw new Problem("not_found", `There is no statement of ${day}.`);
  const { lines, movements } = await readDay(tx, day);
  const items = itemsOf({
    ...{ day, lines, movements, ledgerChange: ledger.closing - ledger.opening },
    coveredTo: new Map(accounts.flatMap(({ number, covered_to }) => (covered_to ? [[number, covered_to]] : []))),
  });
  const [explanations, describe] = [await readExplanations(tx, day), describer({ lines, movements })];
  // What a person has to vouch for comes first, and has to fit.
  const [settled, vouched] = [items.filter(isByItself), items.filter((item) => !isByItself(item))];
  const explained = [...vouched, ...settled].map((item) => ({
    ...item,
    explanation: explanationOf(item, explanations),
  }));
  const undecided = items.filter(isUndecided).length;
  const open = explained.filter(({ isSettled, explanation }) => !isSettled && !explanation).length - undecided;
  const sheet = {
    ...{ day, state: "open" as const, closed_at: null, closed_by: null, ledger },
    accounts: accounts
      .filter(({ covered_to }) => covered_to !== null)
      .map(({ covered_to: _, ...account }) => ({ ...account, closing: closingOf(account) })),
    difference: items.reduce((sum, { amount }) => sum + amount, 0n),
    items_total: items.length,
    items: explained.slice(0, DAY_ITEMS_MAX).map(({ isSettled, explanation, by, ...item }) => ({
      ...{ ...item, what: describe(item.key), settled: isSettled },
      reason: explanation?.reason ?? (by === null ? null : "matched by hand"),
      explained_by: explanation?.explained_by ?? by,
    })),
    settled: sumsOf(settled),
  };
  assertAddsUp(sheet);
  const blocked_by =
    (await obstacle(tx, day, accounts)) ?? unexplained(open) ?? waiting(undecided) ?? tooMany(vouched.length);
  return { ...sheet, blocked_by };
}

const isByItself = ({ isSettled, by }: Item) => isSettled && by === null;

const sumsOf = (items: Item[]): DaySheet["settled"] =>
  [...Map.groupBy(items, (item) => item.class)].map(([kind, of]) => ({
    ...{ class: kind, items: of.length, amount: of.reduce((sum, { amount }) => sum + amount, 0n) },
  }));

const WHAT_MAX = 200;

/** As the bank or our books describe the items, by their keys. */
function describer({ lines, movements }: Awaited<ReturnType<typeof readDay>>): (key: string) => string {
  const texts = new Map([["ledger", ["the ledger's postings beside what accounts and payments report"]]]);
  const add = (key: string, text: string) => {
    const others = texts.get(key);
    if (others) others.push(text);
    else texts.set(key, [text]);
  };
  const addBoth = (key: string, match: bigint | null, text: string) =>
    add(match === null ? key : `match:${match}`, text);
  for (const { id, match, narration } of lines) addBoth(`line:${id}`, match, narration);
  for (const { key, match, amount, on } of movements)
    addBoth(key, match, `${key} ${kobo(amount)} ${on ?? "not booked"}`);
  return (key) => (texts.get(key) ?? []).join("; ").slice(0, WHAT_MAX);
}

/** A reason counts for the amount that it was given for, and for nothing that a statement will decide. */
function explanationOf(item: Item, explanations: Map<string, Explanation>): Explanation | undefined {
  const found = explanations.get(item.key);
  return found?.amount === item.amount && !isUndecided(item) ? found : undefined;
}

type Account = Awaited<ReturnType<typeof readAccounts>>[number];

const closingOf = (account: Omit<Account, "covered_to">) =>
  account.opening + account.in + account.out + account.charges;

/** Independent of how the items were found: what changed at the banks, less what changed in the ledger. */
function assertAddsUp({ accounts, ledger, difference }: Pick<DaySheet, "accounts" | "ledger" | "difference">): void {
  const atBanks = accounts.reduce((sum, { opening, closing }) => sum + closing - opening, 0n);
  if (atBanks - (ledger.closing - ledger.opening) !== difference)
    throw new Error("the items of a day do not add up to its difference");
}

/** Why the day cannot be closed whatever its items are. */
async function obstacle(tx: Session, day: Day, accounts: Account[]): Promise<string | null> {
  const { last, first, is_over } = await readOrder(tx, day);
  const next = last ? dayAfter(last) : first;
  if (!is_over) return "The day is not over.";
  if (next !== day) return `Days are closed in order: the next one is ${next}.`;
  const uncovered = accounts.find(({ covered_to }) => covered_to === null || covered_to < day);
  if (uncovered) return `There is no complete statement of account ${uncovered.number} for the day.`;
  const loose = await readLoose(tx);
  if (loose.length > 0)
    return `Of closed days these are in no match any more, or in one with a payout that failed, and have no reason: ${loose.join(", ")}.`;
  return (await isComplete(tx, endOf(day))) ? null : "What accounts and payments know of the day is not read yet.";
}

const tooMany = (count: number): string | null =>
  count <= DAY_ITEMS_MAX
    ? null
    : `The difference has ${count} lines that a person vouches for, and at most ${DAY_ITEMS_MAX} fit.`;

const waiting = (count: number): string | null =>
  count === 0 ? null : `The bank's next statement decides on lines of the difference: ${count}.`;

const unexplained = (count: number): string | null =>
  count === 0 ? null : `Lines of the difference without a reason: ${count}.`;
