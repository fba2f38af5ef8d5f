import type { BankReport } from "@collect/bank";
import { formatNaira } from "@collect/money";
import { PAID_AT_BOUNDS } from "./intake.ts";

/** What an operator offers of a line of a statement. */
export type Offered = { bank_transfer_id: string; account_number: string; amount: bigint };
/** What the statement says of it: `amount` is what reached our account. */
export type OfferedLine = { amount: bigint; session_id: string | null; booked_on: string };
export type Contradiction = { field: string; bank: string };

/** What of its amount reached our account. */
export const arrivedOf = ({ amount, bankFee, bankVat }: Pick<BankReport, "amount" | "bankFee" | "bankVat">): bigint =>
  amount - bankFee - bankVat;

/**
 * The first field in which an offer is not the transfer that the partner confirms, with what the partner says; undefined if it is that. A session
 * that one of them does not name contradicts nothing.
 */
export function contradictionOf(offered: Offered, line: OfferedLine, confirmed: BankReport): Contradiction | undefined {
  const { type, currency, accountNumber, amount, sessionId, paidAt } = confirmed;
  const arrived = arrivedOf(confirmed);
  const checks: [isSame: boolean, Contradiction][] = [
    [type === "credit", { field: "type", bank: type }],
    [currency === "NGN", { field: "currency", bank: currency }],
    [confirmed.id === offered.bank_transfer_id, { field: "bank_transfer_id", bank: confirmed.id }],
    [accountNumber === offered.account_number, { field: "account_number", bank: accountNumber }],
    [amount === offered.amount, { field: "amount", bank: formatNaira(amount) }],
    [arrived === line.amount, { field: "the line's amount", bank: formatNaira(arrived) }],
    [
      !sessionId || !line.session_id || sessionId === line.session_id,
      { field: "the line's session_id", bank: sessionId ?? "" },
    ],
    [paidAt === null || isNear(paidAt, line.booked_on), { field: "paid_at", bank: paidAt ?? "" }],
  ];
  return checks.find(([isSame]) => !isSame)?.[1];
}

const DAY_MS = 86_400_000;
const BOOKED_DAYS = 31;

/** A line is booked within days of the payment: one of another month is another transfer, which has a line of its own. */
const isNear = (paidAt: string, bookedOn: string): boolean =>
  Math.abs(Date.parse(paidAt) - Date.parse(`${bookedOn}T12:00:00+01:00`)) <= BOOKED_DAYS * DAY_MS;

/** An operator's word on when it was paid: a bank's notification is lost for days, not for a season, and no one has paid tomorrow. */
export function isPlausiblyPaid(paidAt: string, now: Date): boolean {
  const age = now.getTime() - Date.parse(paidAt);
  return age <= PAID_AT_BOUNDS.beforeDays * DAY_MS && age >= -PAID_AT_BOUNDS.afterDays * DAY_MS;
}
