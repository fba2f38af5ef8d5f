import { readFileSync } from "node:fs";

/** The cases of one file of a partner's corpus, by name. */
export function casesOf<Case>(partner: string, file: string): [string, Case][] {
  const path = new URL(`corpus/${partner}/${file}.json`, import.meta.url);
  return Object.entries(JSON.parse(readFileSync(path, "utf8")) as Record<string, Case>);
}

/** As in the files: amounts are kobo in text. Null for undefined. */
export const inJson = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null, (_key, inner) => (typeof inner === "bigint" ? inner.toString() : inner)));

const AMOUNTS = ["amount", "bankFee", "bankVat"];

/** The same in the other direction. */
export const fromJson = <Argument extends object>(argument: Argument): Argument => {
  const amounts = Object.entries(argument).filter(([key]) => AMOUNTS.includes(key));
  return { ...argument, ...Object.fromEntries(amounts.map(([key, kobo]) => [key, BigInt(kobo)])) };
};
