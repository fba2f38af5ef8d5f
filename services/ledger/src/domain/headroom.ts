import type { Difference } from "./proof.ts";

/** Half of the range of a BIGINT, in kobo: 46 quadrillion naira. */
export const HALF_FULL_KOBO = 2n ** 62n;

/** A ledger account whose balance is beyond half, positive or negative. */
export type FullAccount = { id: string; balance: bigint };

export const headroomDifferences = (accounts: FullAccount[]): Difference[] =>
  accounts.map(({ id, balance }) => ({
    what: `its balance of ${balance} kobo is more than half of the maximum of a ledger account`,
    where: `ledger account ${id}`,
  }));
