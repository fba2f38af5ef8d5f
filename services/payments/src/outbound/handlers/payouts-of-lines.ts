import { answer, type Bus, type Epochs, type Request } from "@collect/bus";
import { findPayoutOfLine, getStatementLine } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { namesIn } from "../domain/line-names.ts";
import { findPayoutOfLine as find } from "../store/payouts-of-lines.ts";

type Deps = { pool: Pool; bus: Bus; epochs: Pick<Epochs, "assertCurrent"> };

/** Whether what left our account is a payout, before it is taken for anything else. */
export function payoutOfLineRequests({ pool, bus, epochs }: Deps): Request[] {
  return [
    answer(findPayoutOfLine, async ({ line: id }) => {
      // The payout may be lost after a restore.
      epochs.assertCurrent();
      const line = getStatementLine.output.parse(await bus.request(getStatementLine, { line: id }));
      if (line.amount >= 0n) return { payout: null };
      const payout = await find(pool, { ...namesIn(line), amount: -line.amount, bookedOn: line.booked_on });
      return { payout: payout ?? null };
    }),
  ];
}
