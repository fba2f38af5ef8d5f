import { money } from "../../components/money.tsx";
import type { Session } from "./session-steps.ts";

const MEANING: Record<Session["payment"]["status"], string> = {
  pending: "Waiting for the payer's transfer.",
  processing: "The payer says the money was sent. It has not arrived yet.",
  paid: "The full amount arrived.",
  underpaid: "Less than the requested amount arrived. It is credited to you, and the payer can still send the rest.",
  overpaid: "More than the requested amount arrived. All of it is credited to you. You can return the excess.",
  expired: "Nothing arrived in time. A late payment is still credited to you.",
  paid_late: "The full amount arrived, or was attached, after the session expired. It is credited to you.",
};

const PAID_AND_MORE = {
  paid: "The full amount arrived, and more after it. All of it is credited to you. You can return the excess.",
  paid_late:
    "The full amount arrived after the session expired, and more after it. All of it is credited to you. You can return the excess.",
};

const takenBack = (what: string) =>
  `The money arrived, and then the bank ${what}, so it was deducted from your balance. The status doesn't change. Create a new session if the payer should pay again.`;

const tookExcess = (naira: number) =>
  `The full amount arrived, and more. The bank took back ${money(naira)}, which was deducted from your balance.`;

/** What the status means for the money. */
export function meaningOf({ payment, watch_until }: Session, now: number): string {
  const { status, amount, amount_received, amount_reversed = 0 } = payment;
  const excess = Math.round((amount_received - amount_reversed - amount) * 100);
  if (amount_reversed > 0 && excess < 0)
    return takenBack(amount_reversed < amount_received ? "took back a part of it" : "took it back");
  if (amount_reversed > 0)
    return `${tookExcess(amount_reversed)} The requested amount is still credited to you${excess > 0 ? ", and more: you can return the excess." : "."}`;
  if ((status === "paid" || status === "paid_late") && excess > 0) return PAID_AND_MORE[status];
  if (status === "underpaid" && (payment.customer_reference === null || Date.parse(watch_until) <= now))
    return "Less than the requested amount arrived. It is credited to you. The session has closed: create a new one for the rest.";
  return MEANING[status];
}
