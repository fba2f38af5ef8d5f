import { TEST_BANK } from "@collect/bank";
import { answer, type Request } from "@collect/bus";
import { instantOf, type MerchantScope, Problem, receiveTestTransfers } from "@collect/contracts";
import { type Pool, readTimeOf } from "@collect/database";
import type { ReportedTransfer } from "../domain/intake.ts";
import { assertTestMode } from "../domain/test-mode.ts";
import { faultsOf, type TestTransfer } from "../domain/test-transfers.ts";
import { findAccountNumbers } from "../store/customer-accounts.ts";
import { spendTestVolume } from "../store/test-volume.ts";
import type { Intake } from "../use-cases/intake.ts";

/**
 * Transfers of the test bank, with its own times, through the intake of the bank door: all of them in one commit, or none.
 * A caller that gets no response repeats the request.
 */
export function testTransferRequests({ pool, intake }: { pool: Pool; intake: Intake }): Request[] {
  return [
    answer(receiveTestTransfers, async ({ merchant, transfers }) => {
      assertTestMode(merchant);
      const references = transfers.map(({ customer_reference }) => customer_reference);
      const accountNumbers = await findAccountNumbers(pool, merchant, references);
      const errors = faultsOf(transfers, {
        customers: new Set(accountNumbers.keys()),
        now: await readTimeOf(pool, merchant),
      });
      const [first] = errors;
      if (first)
        throw new Problem("validation_failed", `No transfer was accepted: ${first.param} ${first.message}.`, {
          errors,
        });
      await spendTestVolume(
        pool,
        merchant,
        transfers.reduce((sum, { amount }) => sum + amount, 0n),
      );
      const results = await intake.acceptAll(
        transfers.map((transfer) =>
          reported(merchant, transfer, accountNumbers.get(transfer.customer_reference) ?? ""),
        ),
      );
      const count = (expected: string) => results.filter(({ status }) => status === expected).length;
      return { accepted: count("accepted"), duplicates: count("duplicate"), quarantined: count("quarantined") };
    }),
  ];
}

/** The bank's id includes the merchant: one merchant cannot use up another's ids. */
function reported(merchant: MerchantScope, transfer: TestTransfer, accountNumber: string): ReportedTransfer {
  const { id, amount, payer, paid_at } = transfer;
  return {
    bank: TEST_BANK.code,
    mode: "test",
    bankTransferId: `${merchant.id}:${id}`,
    type: "credit",
    accountNumber,
    amount,
    currency: "NGN",
    payer: { name: payer.name, accountNumber: payer.account_number, bankName: payer.bank_name },
    narration: null,
    paidAt: instantOf(new Date(paid_at)),
  };
}
