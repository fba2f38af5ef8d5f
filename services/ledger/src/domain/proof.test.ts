import { expect, test } from "vitest";
import { NAMED_MAX, named, sumDifferences } from "./proof.ts";

test("a mode whose balances do not sum to zero is a difference; one whose balances do is none", () => {
  const modes = [
    { mode: "live" as const, ledger_accounts: 4, sum: "-1" },
    { mode: "test" as const, ledger_accounts: 4, sum: "0" },
  ];
  expect(sumDifferences(modes)).toEqual([{ what: "the balances sum to -1 kobo, not to zero", where: "mode live" }]);
});

test("a difference is named once, and only so many are", () => {
  const differences = Array.from({ length: 200 }, (_, index) => ({ what: "broken", where: `entry ${index % 100}` }));
  expect(named(differences.slice(0, 3).concat(differences.slice(0, 3)))).toEqual(differences.slice(0, 3));
  expect(named(differences)).toHaveLength(NAMED_MAX);
});
