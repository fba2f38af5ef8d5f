import { largestFirst, membersOf, type ShownItem } from "../domain/groups.ts";
import { leftAtBank } from "../domain/sheet.ts";
import { kobo } from "../domain/statement.ts";
import type { readAccounts, readDay } from "../store/days.ts";

const WHAT_MAX = 200;

type Rows = Awaited<ReturnType<typeof readDay>>;
type Account = Awaited<ReturnType<typeof readAccounts>>[number];
type Described = Rows & {
  charges: Map<string, Rows["lines"]>;
  described: { key: string; what: string }[];
  accounts: Account[];
};

/** As the bank or our books describe the items, by their keys; and groups by what is in them. */
export function describer({ lines, charges, movements, described, accounts }: Described): (item: ShownItem) => string {
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
  for (const of of charges.values()) texts.set(`charges:${of[0]?.id}`, [allWords(of)]);
  for (const { key, what } of described) texts.set(key, [what]);
  for (const { number, last_day, opening } of accounts)
    texts.set(`account:${number}`, [...(opening ? [leftAtBank(opening)] : []), `its last day was ${last_day}`]);
  const wordsOf = (key: string) => (texts.get(key) ?? []).join("; ");
  return (item) => {
    const members = membersOf(item).map(({ key, amount }) => ({ amount, narration: wordsOf(key) }));
    return allWords(members).slice(0, WHAT_MAX);
  };
}

/** The largest comes first: what is cut off must not hide it. */
function allWords(lines: { amount: bigint; narration: string }[]): string {
  const [largest, ...others] = largestFirst(lines);
  if (!largest) return "";
  if (others.length === 0) return largest.narration;
  const words = new Set(others.map(({ narration }) => narration));
  words.delete(largest.narration);
  const start = `${lines.length} lines: the largest ${kobo(largest.amount)} ${largest.narration}`;
  return [start, ...words].join("; ");
}
