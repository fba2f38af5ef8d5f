import { EVENTS, type Fact, type FactEvent, transferUnallocated } from "@collect/contracts";
import { expect, test } from "vitest";
import { createFactSeal } from "../src/access/fact-seal.ts";

const seal = createFactSeal(`test:${"5".repeat(64)}`);
const AT = "2026-11-21T09:30:00.000+00:00";
const held: Fact<typeof transferUnallocated> = {
  ...{ intakeId: "int_1", mode: "live", amount: 500n, paidAt: AT, receivedAt: AT },
};
const event = EVENTS.find(({ subject }) => subject === transferUnallocated.subject) as FactEvent;
/** As a release declares it that knows no charges of the bank. */
const { sealedWhenPresent: _, ...formerly } = event;
const macOf = (fact: object) => seal.macOf(event, fact);
const isValid = (fact: object, mac: string) => seal.isValid(event, { ...fact, mac });

test("a fact without a later field has the MAC of a release that does not know the field, in both directions", () => {
  expect(macOf(held)).toBe(seal.macOf(formerly, held));
  expect(isValid(held, seal.macOf(formerly, held))).toBe(true);
});

test("a later field that is added, changed, renamed or lost on the way is noticed, and by a release that does not know it, too", () => {
  const charged = { ...held, bankFee: 10n };
  expect(isValid({ ...held, bankFee: "10" }, macOf(charged))).toBe(true);
  expect(isValid({ ...held, bankFee: "11" }, macOf(charged))).toBe(false);
  expect(isValid({ ...held, bankVat: "10" }, macOf(charged))).toBe(false);
  expect(isValid(held, macOf(charged))).toBe(false);
  expect(isValid({ ...held, bankFee: "10" }, macOf(held))).toBe(false);
  expect(seal.isValid(formerly, { ...held, mac: macOf(charged) })).toBe(false);
});
