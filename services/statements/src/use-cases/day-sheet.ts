import { createHash } from "node:crypto";
import type { Bus } from "@collect/bus";
import { DAY_ITEMS_MAX, DaySheet, getBankBalances, Problem } from "@collect/contracts";
import type { Pool, Session } from "@collect/database";
import { dayAfter, endOf, startOf } from "../domain/calendar.ts";
import { accountEnded, chargesOf, type Item, isUndecided, itemsOf } from "../domain/sheet.ts";
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
  const order = await readOrder(tx, day);
  if (order.first === null || order.first > day) throw new Problem("not_found", `There is no statement of ${day}.`);
  const known = await readAccounts(tx, day);
  const accounts = known.filter(({ last_day }) => last_day === null || last_day >= day);
  const { lines, movements } = await readDay(tx, day);
  const coveredTo = new Map(known.flatMap(({ number, covered_to }) => (covered_to ? [[number, covered_to]] : [])));
  const items = [
    ...endsOf(known, day),
    ...itemsOf({ day, lines, movements, ledgerChange: ledger.closing - ledger.opening, coveredTo }),
  ];
  const explanations = await readExplanations(tx, day);
  const describe = describer({ day, lines, movements, accounts: known });
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
      .map((account) => ({ ...account, closing: closingOf(account) })),
    difference: items.reduce((sum, { amount }) => sum + amount, 0n),
    items_total: items.length,
    items: explained.slice(0, DAY_ITEMS_MAX).map(({ isSettled, explanation, by, ...item }) => ({
      ...{ ...item, what: describe(item), settled: isSettled },
      reason: explanation?.reason ?? reasonOf(item, known) ?? (by === null ? null : "matched by hand"),
      explained_by: explanation?.explained_by ?? by,
    })),
    settled: sumsOf(settled),
  };
  assertAddsUp(sheet);
  const blocked_by =
    (await obstacle(tx, { day, accounts, order })) ??
    unexplained(open) ??
    waiting(undecided) ??
    tooMany(vouched.length);
  return { ...sheet, blocked_by, digest: digestOf({ ...sheet, blocked_by: null }) };
}

/** Of the sheet as it is sent: whatever a person is shown. */
const digestOf = (sheet: DaySheet): string =>
  createHash("sha256")
    .update(JSON.stringify(DaySheet.encode(sheet)))
    .digest("hex");

type Account = Awaited<ReturnType<typeof readAccounts>>[number];

const endsOf = (accounts: Account[], day: Day): Item[] =>
  accounts
    .filter(({ last_day }) => last_day !== null && dayAfter(last_day) === day)
    .map(({ number, ended_by }) => accountEnded({ number, by: ended_by ?? "" }));

const reasonOf = ({ class: kind, account }: Pick<Item, "class" | "account">, accounts: Account[]) =>
  kind === "account_ended" ? accounts.find(({ number }) => number === account)?.end_reason : undefined;

const isByItself = ({ isSettled, by }: Item) => isSettled && by === null;

const sumsOf = (items: Item[]): DaySheet["settled"] =>
  [...Map.groupBy(items, (item) => item.class)].map(([kind, of]) => ({
    ...{ class: kind, items: of.length, amount: of.reduce((sum, { amount }) => sum + amount, 0n) },
  }));

const WHAT_MAX = 200;

type Described = Awaited<ReturnType<typeof readDay>> & { day: Day; accounts: Account[] };

/** As the bank or our books describe the items, by their keys. */
function describer({ day, lines, movements, accounts }: Described): (item: Pick<Item, "key">) => string {
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
  for (const of of chargesOf(lines, day).values()) texts.set(`charges:${of[0]?.id}`, [chargeWords(of)]);
  for (const { number, last_day } of accounts) texts.set(`account:${number}`, [`its last day was ${last_day}`]);
  return ({ key }) => (texts.get(key) ?? []).join("; ").slice(0, WHAT_MAX);
}

/** The largest comes first: what is cut off must not hide it. */
function chargeWords(lines: SheetLine[]): string {
  const [largest, ...others] = lines.toSorted((a, b) => Number(abs(b.amount) - abs(a.amount)));
  if (!largest) return "";
  if (others.length === 0) return largest.narration;
  const words = new Set(others.map(({ narration }) => narration));
  words.delete(largest.narration);
  const start = `${lines.length} lines: the largest ${kobo(largest.amount)} ${largest.narration}`;
  return [start, ...words].join("; ");
}

const abs = (amount: bigint) => (amount < 0n ? -amount : amount);
type SheetLine = Described["lines"][number];

/** A reason counts for the amount that it was given for, and for nothing that a statement will decide. */
function explanationOf(item: Item, explanations: Map<string, Explanation>): Explanation | undefined {
  const found = explanations.get(item.key);
  return found?.amount === item.amount && !isUndecided(item) ? found : undefined;
}

const closingOf = (account: Account) => account.opening + account.in + account.out + account.charges;

/** Independent of how the items were found: what changed at the banks, less what changed in the ledger. */
function assertAddsUp({ accounts, ledger, difference }: Pick<DaySheet, "accounts" | "ledger" | "difference">): void {
  const atBanks = accounts.reduce((sum, { opening, closing }) => sum + closing - opening, 0n);
  if (atBanks - (ledger.closing - ledger.opening) !== difference)
    throw new Error("the items of a day do not add up to its difference");
}

type Order = Awaited<ReturnType<typeof readOrder>>;

/** Why the day cannot be closed whatever its items are. */
async function obstacle(
  tx: Session,
  { day, accounts, order: { last, first, is_over } }: { day: Day; accounts: Account[]; order: Order },
): Promise<string | null> {
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
