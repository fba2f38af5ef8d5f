import { conflictIn, type holdMissingCredit as hold, type Input, Problem } from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { lockBankAccount } from "../store/bank-accounts.ts";
import { shareDays } from "../store/closings.ts";
import { holdCredit, type KnownCredit, linesThatMayBe, readCredit } from "../store/missing-credits.ts";
import type { Refresh } from "./refresh.ts";

type Given = Input<typeof hold>;

/**
 * Proves that the bank never had a credit, and keeps it from any line until accounts has booked its reversal: then the two are matched. What accounts
 * has by now, and what is matched with a line, is read before. The same again is proved again, unless our books have the reversal.
 */
export async function holdMissingCredit(
  { pool, refresh }: { pool: Pool; refresh: Refresh },
  { intake_id, despite_lines }: Given,
): Promise<void> {
  await refresh();
  await transaction(pool, async (tx) => {
    const { account } = await existingCredit(tx, intake_id);
    await lockBankAccount(tx, account);
    await shareDays(tx);
    const credit = await existingCredit(tx, intake_id);
    // As when accounts was restored.
    if (credit.is_taken_back) return;
    assertMissing(credit);
    const lines = await linesThatMayBe(tx, { key: intake_id, despite: despite_lines, sent: credit.sent });
    if (lines.length > 0)
      throw refused(
        "line_may_be_credit",
        `The transfer may be one of these lines, or a part of one: ${lines.join(", ")}. Match it by hand with the one that it is. If the bank's staff confirm that it is none of them, name all of them as what it is not.`,
      );
    await holdCredit(tx, intake_id);
  });
}

async function existingCredit(...[tx, key]: Parameters<typeof readCredit>): Promise<KnownCredit> {
  const credit = await readCredit(tx, key);
  if (!credit) throw new Problem("not_found", "No account of ours has such an incoming transfer in its statements.");
  return credit;
}

function assertMissing({ is_matched, is_covered, on }: KnownCredit): void {
  if (is_matched) throw refused("credit_is_matched", "The transfer is matched with a line: the bank has it.");
  if (!is_covered)
    throw refused(
      "credit_may_come",
      `The statements do not prove yet that the transfer of ${on} is missing: they end before the day by which it would be there, or begin after it.`,
    );
}

const refused = (code: string, message: string) => conflictIn("intake_id", code, message);
