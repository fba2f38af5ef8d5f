import { expect, test } from "vitest";
import { DIFFERENCES_MAX, firstDistinct, standingOf, sumDifferences } from "./proof.ts";

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

test("the audit stands as its oldest proof, of whichever part, and with what any pass has found", () => {
  const at = (hour: number) => `2026-10-01T0${hour}:00:00.000+00:00`;
  const none = { differences: [], last_differences: [], recent_differences: [], recent_before: [], modes: [] };
  const proofs = { ...none, proven_at: at(3), sums_at: at(2), recent_at: at(4) };
  expect(standingOf(proofs)).toEqual({ proven_at: at(2), differences: [] });
  expect(standingOf({ ...proofs, recent_at: at(1) }).proven_at).toBe(at(1));
  for (const part of ["proven_at", "sums_at", "recent_at"])
    expect(standingOf({ ...proofs, [part]: null }).proven_at, part).toBeNull();
  const found = (where: string) => [{ what: "broken", where }];
  const modes = [{ mode: "live" as const, ledger_accounts: 4, sum: "-1" }];
  const lists = ["recent_differences", "recent_before", "differences", "last_differences"];
  for (const list of lists)
    expect(standingOf({ ...proofs, [list]: found(list) }).differences, list).toEqual(found(list));
  expect(standingOf({ ...proofs, modes }).differences).toEqual(sumDifferences(modes));
});
