import type { TransferBookings } from "@collect/contracts";
import type { End, Transfer } from "./transfer.ts";

/** A transfer as far as the audit compares it with the ledger. */
export type ProvenTransfer = Pick<
  Transfer,
  "reference" | "merchantId" | "mode" | "amount" | "step" | "status" | "verdict"
>;

/**
 * The differences between payments and the ledger about one transfer. Payments is read before the ledger and again
 * after it: what payments knew to be booked before must be in the ledger, and payments must have requested by now what
 * the ledger has booked.
 */
export function transferDifferences(given: {
  before: ProvenTransfer | undefined;
  ledger: TransferBookings | undefined;
  after: ProvenTransfer | undefined;
}): string[] {
  const { before, ledger, after } = given;
  return [...missing(before, ledger), ...(ledger ? unrequested(ledger, after) : [])];
}

function missing(before: ProvenTransfer | undefined, ledger: TransferBookings | undefined): string[] {
  if (!before || before.step === "created") return [];
  if (before.step === "refused") return ledger?.reserved ? ["refused here, and the ledger holds a reserve"] : [];
  if (!ledger?.reserved) return ["the ledger holds no reserve for it"];
  const expected = ["reserve", ...(before.status === "pending" ? [] : BOOKINGS[before.status])];
  return expected
    .filter((booking) => !ledger.bookings.includes(booking))
    .map((booking) => `the ledger has no ${booking} of its merchant, mode and amount`);
}

function unrequested(ledger: TransferBookings, after: ProvenTransfer | undefined): string[] {
  if (!after) return ledger.reserved ? ["the ledger holds a reserve, and payments has no such transfer"] : [];
  const isSame =
    after.merchantId === ledger.merchant_id && after.mode === ledger.mode && after.amount === ledger.amount;
  const allowed: string[] = ["reserve", ...(after.verdict ? BOOKINGS[after.verdict] : [])];
  // A contradiction by the bank after a failure is in suspense and was alarmed; it is not a difference between the two
  // services.
  if (after.verdict === "failed") allowed.push("late_payout", "late_reversal");
  const others = ledger.bookings.filter((booking) => !allowed.includes(booking));
  return [
    ...(isSame ? [] : ["the ledger has another merchant, mode or amount"]),
    ...others.map((booking) => `the ledger has a ${booking} that payments does not know of`),
  ];
}

const BOOKINGS: Record<End, string[]> = {
  success: ["payout"],
  failed: ["return"],
  reversed: ["payout", "reversal"],
};
