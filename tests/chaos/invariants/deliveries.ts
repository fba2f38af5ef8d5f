import { gaps } from "../arrivals.ts";
import { type Delivered, keyOf, keyOfEvent, type Observations } from "../observations.ts";
import { listed } from "./invariant.ts";

/** Checks only what the merchants' server received. */
export function deliveries({ delivered, reported, simulated }: Observations): string[] {
  const scopeOf = ({ merchant, mode }: Delivered) => `merchant ${merchant} ${mode}`;
  const eventOf = (each: Delivered) => `${scopeOf(each)} #${each.sequence}`;
  const inLive = delivered.filter(({ mode, event }) => mode === "live" && event === "collection.success");
  const known = new Set(reported.map(keyOf));
  const acknowledgedKeys = new Set(reported.filter(({ acknowledgedAt }) => acknowledgedAt !== undefined).map(keyOf));
  for (const { data } of inLive) acknowledgedKeys.delete(keyOfEvent(data));
  const receivedInTest = new Set(delivered.filter(({ mode }) => mode === "test").map(({ data }) => data.reference));
  const lostInTest = simulated.filter(({ reference }) => reference !== undefined && !receivedInTest.has(reference));
  return [
    ...ambiguous("a sequence number with different bytes", delivered, eventOf, ({ hash }) => hash),
    ...ambiguous("a delivery number of two events", delivered, ({ number }) => String(number), eventOf),
    ...ambiguous("a transfer with two events", inLive, ({ data }) => keyOfEvent(data), eventOf),
    ...ambiguous("a reference of two events", delivered, ({ event, data }) => `${event} ${data.reference}`, eventOf),
    ...listed(
      "a gap",
      gaps(delivered).map(({ merchant, mode, missing }) => `merchant ${merchant} ${mode} ${missing.slice(0, 9)}`),
    ),
    ...listed(
      "an event of a transfer that the bank never reported",
      inLive.filter(({ data }) => !known.has(keyOfEvent(data))).map(eventOf),
    ),
    ...listed("an acknowledged transfer without an event", [...acknowledgedKeys]),
    ...listed(
      "an acknowledged simulated payment without an event",
      lostInTest.map(({ reference = "" }) => reference),
    ),
  ];
}

/** Names with more than one value. */
function ambiguous(
  what: string,
  all: readonly Delivered[],
  nameOf: (each: Delivered) => string,
  propertyOf: (each: Delivered) => string,
): string[] {
  const values = new Map<string, Set<string>>();
  for (const each of all) {
    const name = nameOf(each);
    const seen = values.get(name) ?? new Set();
    values.set(name, seen.add(propertyOf(each)));
  }
  const wrong = [...values].filter(([, seen]) => seen.size > 1);
  return listed(
    what,
    wrong.map(([name, seen]) => `${name}: ${[...seen].join(", ")}`),
  );
}
