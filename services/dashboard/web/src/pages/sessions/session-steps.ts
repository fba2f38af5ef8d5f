import type { ReadResponse } from "../../api/calls.ts";
import { money } from "../../components/money.tsx";
import type { TimelineStep } from "../../components/timeline.tsx";

export type Session = ReadResponse<"sessions/:reference">;

type Dated = TimelineStep & { at: string };

/** The history of a session, in order, and the steps still to come. */
export function sessionSteps({ payment, sent_at, watch_until }: Session, now: number): TimelineStep[] {
  const { status, customer_reference, created_at, expires_at, paid_at, collections } = payment;
  const isOver = (at: string) => Date.parse(at) <= now;
  const hasExpired = status === "expired" || status === "paid_late";
  const past: (Dated | null)[] = [
    { what: "Created", at: created_at, detail: OPENED_BY[payment.opened_by], ...creatorOf(payment) },
    sent_at ? { what: "Payer reported the transfer", at: sent_at } : null,
    ...collections.map(({ amount, paid_at, reference }) => ({
      what: `${money(amount)} arrived`,
      at: paid_at,
      detail: reference,
      to: ["collections", reference],
    })),
    hasExpired ? { what: "Expired", at: expires_at } : null,
    paid_at ? { what: status === "paid_late" ? "Paid late" : "Paid", at: paid_at } : null,
    isOver(watch_until) ? { what: "Watch window closed", at: watch_until } : null,
  ];
  const waits = status === "pending" || status === "processing";
  const ahead: (TimelineStep | null)[] = [
    waits ? { what: "Expires", at: null, due: expires_at, detail: "Unless it is paid first." } : null,
    isOver(watch_until)
      ? null
      : {
          what: "Watch window closes",
          at: null,
          due: watch_until,
          // Of an account that payers share, the rest would not be matched.
          detail:
            status === "underpaid" && customer_reference === null
              ? null
              : "Payments before then are still matched to it.",
        },
  ];
  const dated = past.filter((step) => step !== null);
  return [...dated.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)), ...ahead.filter(isStep)];
}

const OPENED_BY: Record<Session["payment"]["opened_by"], string> = {
  secret_key: "Your server or the dashboard",
  public_key: "Web page, with your public key",
  payment_link: "Payer, through a payment link",
};

/** The request or the link that created it. */
function creatorOf({ opened_by, payment_link, reference }: Session["payment"]): Pick<TimelineStep, "to" | "search"> {
  if (payment_link) return { to: ["links", payment_link] };
  return opened_by === "secret_key" ? { to: ["developers", "requests"], search: { search: reference } } : {};
}

const isStep = (step: TimelineStep | null): step is TimelineStep => step !== null;
