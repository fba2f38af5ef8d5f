import { InvalidArgumentError, Option } from "commander";

/** Options shared by several commands. Values that the API validates are not validated here again. */

export const limit = () =>
  new Option("--limit <rows>", "how many rows at most").default(20).argParser((text) => wholeNumber(text, "of rows"));

export const amount = () => new Option("--amount <naira>", "in naira, such as 2500.50").argParser(naira);

export function naira(text: string): number {
  if (!/^\d{1,10}(\.\d{1,2})?$/.test(text)) throw new InvalidArgumentError("Give naira, such as 2500.50.");
  return Number(text);
}

/** Where in the event log to begin: with an event, or with the events of the last while. */
export type From = { sequence: number } | { ageMs: number };

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export const from = () =>
  new Option("--from <sequence|age>", "begin with an event's number, or so long ago: 42, 30m, 12h, 7d").argParser(
    (text): From => {
      const [, number = "", unit] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? [];
      if (number === "") throw new InvalidArgumentError("Give an event's number, or an age such as 30m, 12h or 7d.");
      if (unit) return { ageMs: Number(number) * UNITS[unit as keyof typeof UNITS] };
      return { sequence: Number(number) };
    },
  );

function wholeNumber(text: string, what: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError(`Give a whole number ${what}.`);
  return Number(text);
}
