import type { Bus } from "@collect/bus";
import { claimReturn, isRefusal, type Mode, Problem } from "@collect/contracts";
import { isUniqueViolation, type Pool } from "@collect/database";
import { failpoint } from "@collect/runtime";
import { isReturnedBy, type Return, type Transfer } from "../domain/transfer.ts";
import { beginReturn, storeReturn } from "../store/payout-returns.ts";
import { livePayout } from "./live-payout.ts";
import { takeBackReturn } from "./take-back-return.ts";

export type ReturnDeps = { pool: Pool; bus: Bus; worker: { wake(mode: Mode): void } };
type Payout = { reference: string; merchant_id: string };

/**
 * Reverses a payout that the bank returned after its success, with a line of its statement. statements keeps the line for this payout first,
 * so that it is no other return, and no incoming transfer. Then one statement decides, which excludes the bank's own report of the reversal, and
 * that this act was taken back. A repeat finishes what died in between, and is otherwise the same; what is refused leaves the line free.
 */
export async function returnPayout(deps: ReturnDeps, payout: Payout, given: Return): Promise<Transfer> {
  const { pool, bus, worker } = deps;
  const refuse = async (refusal: Problem): Promise<never> => {
    await takeBackReturn(deps, payout, given.line);
    throw refusal;
  };
  const settled = async (): Promise<Transfer> => {
    const current = await livePayout(pool, payout);
    if (isReturnedBy(current, given)) return current;
    return refuse(current.verdict === "reversed" ? reversed(current) : takenBack());
  };
  const transfer = await livePayout(pool, payout);
  if (transfer.verdict === "reversed") return settled();
  if (transfer.status !== "success" || transfer.verdict !== "success")
    throw new Problem("conflict", "This transfer has not ended as a success, so that nothing of it came back.");
  const claim = { line: given.line, reference: transfer.reference };
  const fence = await beginReturn(pool, claim);
  if (!fence) return settled();
  failpoint("fenced");
  await claimLine(bus, claim, transfer).catch((cause: unknown) => {
    if (isRefusal(cause)) return refuse(cause);
    throw cause;
  });
  failpoint("claimed");
  const stored = await storeReturn(pool, transfer.reference, { returned: given, fence }).catch((cause: unknown) => {
    if (isUniqueViolation(cause)) return refuse(new Problem("conflict", "This line has returned another payout."));
    throw cause;
  });
  if (stored) failpoint("resolved");
  const returned = stored ?? (await settled());
  worker.wake("live");
  return returned;
}

const claimLine = (
  bus: Bus,
  claim: { line: string; reference: string },
  { accountNumber: account_number, amount, createdAt: ordered_at }: Transfer,
) => bus.request(claimReturn, { ...claim, account_number, amount: amount.toString(), ordered_at });

/** A success has no other end than a reversal, and a reversal is for ever: the line never returns it. */
const reversed = ({ returned }: Transfer) =>
  new Problem(
    "conflict",
    returned
      ? `This transfer came back with the line ${returned.line}.`
      : "The bank has reported itself that this transfer came back: its line is matched with that.",
  );
const takenBack = () => new Problem("conflict", "This return was taken back meanwhile.");
