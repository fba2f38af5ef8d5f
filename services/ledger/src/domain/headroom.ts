import type { Difference } from "./proof.ts";

/** A balance has left half of what a BIGINT holds behind: 46 quadrillion naira. In kobo. */
export const HALF_FULL_KOBO = 2n ** 62n;

/** A ledger account whose balance is beyond half, either way. */
export type FullAccount = { id: string; balance: bigint };

export const headroomDifferences = (accounts: FullAccount[]): Difference[] =>
  accounts.map(({ id, balance }) => ({
    what: `its balance of ${balance} kobo is more than half of what a ledger account can hold`,
    where: `ledger account ${id}`,
  }));
