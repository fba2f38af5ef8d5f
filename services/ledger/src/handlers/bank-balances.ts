import { answer, type Epochs, type Request } from "@collect/bus";
import { getBankBalances } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { standingOf } from "../domain/proof.ts";
import { readProgress } from "../store/audit-progress.ts";
import { bankBalancesBefore } from "../store/bank-balances.ts";

/** What the bank's statements are compared with. A balance that lacks lost postings would be read as missing money. */
export function bankBalanceRequests({ lists, epochs }: { lists: Pool; epochs: Epochs }): Request[] {
  return [
    answer(getBankBalances, async ({ mode, before }) => {
      epochs.assertCurrent();
      const [balances, progress] = await Promise.all([bankBalancesBefore(lists, mode, before), readProgress(lists)]);
      return { ...balances, audit: standingOf(progress) };
    }),
  ];
}
