import { expect, test } from "vitest";
import { DIFFERENCES_MAX, firstDistinct, sumDifferences } from "./proof.ts";

test("a mode is a difference exactly when its balances do not sum to zero", () => {
  const modes = [
    { mode: "live" as const, ledger_accounts: 4, sum: "-1" },
    { mode: "test" as const, ledger_accounts: 4, sum: "0" },
  ];
  expect(sumDifferences(modes)).toEqual([{ what: "the balances sum to -1 kobo, not to zero", where: "mode live" }]);
});

test("a difference is reported once, and at most DIFFERENCES_MAX are", () => {
  const differences = Array.from({ length: 200 }, (_, index) => ({ what: "broken", where: `entry ${index % 100}` }));
  expect(firstDistinct(differences.slice(0, 3).concat(differences.slice(0, 3)))).toEqual(differences.slice(0, 3));
  expect(firstDistinct(differences)).toHaveLength(DIFFERENCES_MAX);
});
