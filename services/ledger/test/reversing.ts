import {
  type Fact,
  getBalance,
  getLedgerProof,
  reversalPosted,
  runSettlement,
  transferReceived,
  transferReversed,
} from "@collect/contracts";
import { aMerchant, aTransfer, randomId, recordFacts, until } from "@collect/testing";
import type { useLedger } from "./ledger.ts";

/** What tests of reversals do with a ledger. Amounts in kobo; the fee is 1 %. */

export type Transfer = Fact<typeof transferReceived>;
export type Reversal = Fact<typeof transferReversed>;
export const AT = "2026-11-22T09:30:00.000+00:00";
export const SOURCE = { bank: "729", bankTransferId: "R-1", accountNumber: "0000000017", allocated: false };

export const aReversal = (
  { intakeId: creditId, merchant, amount }: Transfer,
  given: Partial<Reversal> = {},
): Reversal => ({
  ...{ intakeId: randomId("int"), creditId, merchant, amount, reversedBefore: 0n, reversedAt: AT, receivedAt: AT },
  ...{ source: SOURCE, fundedBy: "bank" },
  ...given,
});

export async function useReversing({ others, owner }: Awaited<ReturnType<typeof useLedger>>) {
  const posted = await recordFacts(others, reversalPosted);
  const postedOf = (reversal: Reversal) => posted.all.filter(({ intakeId }) => intakeId === reversal.intakeId);
  const balance = (merchant: Transfer["merchant"]) => others.request(getBalance, { merchant });
  async function receive(transfer: Transfer): Promise<void> {
    const before = (await balance(transfer.merchant)).ledger_sequence;
    await others.publish(transferReceived, [transfer]);
    await until("booked", async () => (await balance(transfer.merchant)).ledger_sequence > before);
  }
  return {
    postedOf,
    balance,
    receive,
    async reverse(...reversals: Reversal[]) {
      await others.publish(transferReversed, reversals);
      return until("the reversals are booked", () => {
        const facts = reversals.flatMap((one) => postedOf(one).slice(0, 1));
        return facts.length === reversals.length && facts;
      });
    },
    async aCollection(merchant = aMerchant(), amount = 100_000n): Promise<Transfer> {
      const transfer = aTransfer({ merchant, amount });
      await receive(transfer);
      return transfer;
    },
    /** Why it was refused. */
    isDead: (intakeId: string): Promise<string> =>
      until("it is a dead letter", async () => {
        const { rows } = await owner.query("select error from dead_letters where natural_key = $1", [intakeId]);
        return rows[0]?.error;
      }),
    settleAll: (merchant: Transfer["merchant"]) => others.request(runSettlement, { merchant }),
    proofHolds: () =>
      until("a whole round holds", async () => {
        const { entries, holds } = await others.request(getLedgerProof, {});
        return holds && entries.last_round_at !== null;
      }),
  };
}
