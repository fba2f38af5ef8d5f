import { gaps } from "../arrivals.ts";
import { type Books, type Delivered, keyOf, keyOfEvent } from "../books.ts";
import { listed } from "./invariant.ts";

/** Judged from what the merchants' server got, and nothing else. */
export function deliveries({ delivered, reported, simulated }: Books): string[] {
  const scopeOf = ({ merchant, mode }: Delivered) => `merchant ${merchant} ${mode}`;
  const eventOf = (each: Delivered) => `${scopeOf(each)} #${each.sequence}`;
  const inLive = delivered.filter(({ mode, event }) => mode === "live" && event === "collection.success");
  const known = new Set(reported.map(keyOf));
  const answeredKeys = new Set(reported.filter(({ answeredAt }) => answeredAt !== undefined).map(keyOf));
  for (const { data } of inLive) answeredKeys.delete(keyOfEvent(data));
  const gotInTest = new Set(delivered.filter(({ mode }) => mode === "test").map(({ data }) => data.reference));
  const lostInTest = simulated.filter(({ reference }) => reference !== undefined && !gotInTest.has(reference));
  return [
    ...several("a sequence number with different bytes", delivered, eventOf, ({ hash }) => hash),
    ...several("a delivery number of two events", delivered, ({ number }) => String(number), eventOf),
    ...several("a transfer with two events", inLive, ({ data }) => keyOfEvent(data), eventOf),
    ...several("a reference of two events", delivered, ({ event, data }) => `${event} ${data.reference}`, eventOf),
    ...listed(
      "a gap",
      gaps(delivered).map(({ merchant, mode, missing }) => `merchant ${merchant} ${mode} ${missing.slice(0, 9)}`),
    ),
    ...listed(
      "an event of money that the bank never reported",
      inLive.filter(({ data }) => !known.has(keyOfEvent(data))).map(eventOf),
    ),
    ...listed("a transfer that was answered and has no event", [...answeredKeys]),
    ...listed(
      "test money that was answered and has no event",
      lostInTest.map(({ reference = "" }) => reference),
    ),
  ];
}

/** Whatever has the same name must have one value only. */
function several(
  what: string,
  all: readonly Delivered[],
  nameOf: (each: Delivered) => string,
  readingOf: (each: Delivered) => string,
): string[] {
  const values = new Map<string, Set<string>>();
  for (const each of all) {
    const name = nameOf(each);
    const seen = values.get(name) ?? new Set();
    values.set(name, seen.add(readingOf(each)));
  }
  const wrong = [...values].filter(([, seen]) => seen.size > 1);
  return listed(
    what,
    wrong.map(([name, seen]) => `${name}: ${[...seen].join(", ")}`),
  );
}
