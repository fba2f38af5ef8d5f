import type { FactEvent } from "@collect/contracts";
import { createMac } from "./mac.ts";

/** Proves that a fact was published by a service that holds one of the keys, and by no other user of the broker. */
export type FactSeal = {
  /** The fact as it is on the wire, or before its amounts became text. */
  macOf(event: FactEvent, fact: object): string;
  /** The fact as it is on the wire. */
  isValid(event: FactEvent, fact: unknown): boolean;
};

export function createFactSeal(keyring: string): FactSeal {
  const mac = createMac(keyring);
  return {
    macOf: (event, fact) => mac.of(sealedText(event, fact)),
    isValid: (event, fact) => mac.isValid(sealedText(event, Object(fact)), Object(fact).mac),
  };
}

/** The paths of an event's sealed fields, split once: this runs for every fact of the path of money. */
const paths = new WeakMap<readonly string[], string[][]>();

function pathsOf(sealed: readonly string[]): string[][] {
  const known = paths.get(sealed);
  if (known) return known;
  const split = sealed.map((path) => path.split("."));
  paths.set(sealed, split);
  return split;
}

/** The subject and the values that decide about money, in the order of the contract; those that may be absent with their names. */
function sealedText({ subject, sealed = [], sealedWhenPresent = [] }: FactEvent, fact: object): string {
  const values = [subject, ...pathsOf(sealed).map((path) => valueAt(fact, path))];
  for (const path of pathsOf(sealedWhenPresent)) {
    const value = valueAt(fact, path);
    if (value !== null && value !== undefined) values.push(path.join("."), value);
  }
  return JSON.stringify(values);
}

function valueAt(fact: object, path: string[]): unknown {
  let value: unknown = fact;
  for (const name of path) value = value === null || value === undefined ? null : Object(value)[name];
  // Amounts are text on the wire.
  return typeof value === "bigint" ? value.toString() : value;
}
