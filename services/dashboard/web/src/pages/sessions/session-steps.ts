import type { ReadResponse } from "../../api/calls.ts";
import { money } from "../../components/money.tsx";
import type { TimelineStep } from "../../components/timeline.tsx";
import { exactTime } from "../../components/when.tsx";

export type Session = ReadResponse<"sessions/:reference">;

type Dated = TimelineStep & { at: string };

/** What happened to a session, in order, and what is still to come. */
export function sessionSteps({ payment, sent_at, watch_until }: Session, now: number): TimelineStep[] {
  const { status, created_at, expires_at, paid_at, collections } = payment;
  const isOver = (at: string) => Date.parse(at) <= now;
  const hasExpired = status === "expired" || status === "paid_late";
  const happened: (Dated | null)[] = [
    { what: "Opened", at: created_at, detail: OPENED_BY[payment.opened_by] },
    sent_at ? { what: "The payer says it is sent", at: sent_at } : null,
    ...collections.map(({ amount, paid_at, reference }) => ({
      what: `${money(amount)} arrived`,
      at: paid_at,
      detail: reference,
    })),
    hasExpired ? { what: "Expired", at: expires_at } : null,
    paid_at ? { what: status === "paid_late" ? "Paid, late" : "Paid", at: paid_at } : null,
    isOver(watch_until) ? { what: "No longer watched", at: watch_until } : null,
  ];
  const waits = status === "pending" || status === "processing";
  const ahead: (TimelineStep | null)[] = [
    waits ? { what: "Expires", at: null, detail: `${exactTime(expires_at)}, unless it is paid before` } : null,
    isOver(watch_until)
      ? null
      : {
          what: "Watched until",
          at: null,
          detail: `${exactTime(watch_until)}. Money that arrives before is still for it.`,
        },
  ];
  const dated = happened.filter((step) => step !== null);
  return [...dated.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)), ...ahead.filter(isStep)];
}

const OPENED_BY: Record<Session["payment"]["opened_by"], string> = {
  secret_key: "By your server, or here",
  public_key: "From a web page, with your public key",
  payment_link: "By a payer, through a link",
};

const isStep = (step: TimelineStep | null): step is TimelineStep => step !== null;
