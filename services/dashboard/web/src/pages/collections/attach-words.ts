import type { ReadResponse } from "../../api/calls.ts";
import { money } from "../../components/money.tsx";

type Found = ReadResponse<"collections/:reference/attachable">;
type Session = Found["sessions"][number];
type Customer = NonNullable<Found["customers"]>[number];

/** Whom money can be attached to, as it is chosen. `fields` is what is sent; null if it takes none. */
export type Option = {
  id: string;
  name: string | null;
  label: string;
  detail: string;
  fields: { payment_reference: string } | { customer_reference: string } | null;
  /** What becomes of a session, after its name; null for a customer. */
  outcome: string | null;
};

export const sessionOption = (session: Session, statusWord: (status: string) => string): Option => ({
  id: `session ${session.reference}`,
  name: session.name,
  label: session.merchant_reference ?? session.reference,
  detail: `${askedWords(session)} · ${statusWord(session.status)}`,
  fields: session.after && { payment_reference: session.reference },
  outcome: outcomeWords(session),
});

export const customerOption = ({ customer_reference, customer_name, status }: Customer): Option => ({
  id: `customer ${customer_reference}`,
  name: customer_name,
  label: customer_reference,
  detail: status === "retired" ? "Customer, account retired" : "Customer",
  fields: { customer_reference },
  outcome: null,
});

const askedWords = ({ amount, amount_received }: Session): string =>
  amount_received === 0 ? money(amount) : `${money(amount_received)} of ${money(amount)}`;

/** `becomes underpaid: ₦200.00 missing`. */
function outcomeWords({ status, after }: Session): string {
  if (!after) return "can't take more money";
  const becomes = after.status === status ? "stays" : "becomes";
  if (after.status === "underpaid") return `${becomes} underpaid: ${money(after.missing)} missing`;
  if (after.status === "overpaid") return `becomes overpaid: ${money(after.excess)} more than it asked for`;
  return after.status === "paid_late" ? "becomes paid late" : "becomes paid";
}
