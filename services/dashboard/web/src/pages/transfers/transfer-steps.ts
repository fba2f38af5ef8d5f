import type { ReadResponse } from "../../api/calls.ts";
import type { TimelineStep } from "../../components/timeline.tsx";
import { type Events, type Hold, webhookSteps } from "../../components/webhook-steps.ts";

/** The data of payments and webhooks about one transfer; null where the event log did not respond. */
export type TransferTimeline = ReadResponse<"transfers/:reference/timeline">;

/** The ledger transaction of the reserve; null if the ledger does not respond. */
type Reserve = ReadResponse<"transactions/:key"> | null;

/** The section of that transaction. */
export const RESERVE = "reserve";

/** Created, reserved, sent, and the outcome; then the webhook deliveries. */
export function transferSteps(
  { transfer, sent_at, reversed_at, held_for, approval, events }: TransferTimeline,
  reserve: Reserve,
  hold: Hold,
): TimelineStep[] {
  return [
    {
      what: "Created",
      at: transfer.created_at,
      to: ["developers", "requests"],
      search: { search: transfer.reference },
    },
    {
      what: "Reserved from settled balance",
      to: RESERVE,
      at: reserve?.posted_at ?? null,
      detail: reserve ? undefined : "The ledger's timestamp is temporarily unavailable.",
    },
    ...(approval ? [approvalStep(approval)] : []),
    ...(wasNeverSent(approval)
      ? []
      : [sentStep(sent_at, transfer.status === "pending" ? notYet(held_for) : undefined)]),
    ...(transfer.status === "pending" && !sent_at ? [] : endSteps(transfer, reversed_at, events)),
    ...(transfer.status === "pending" && events?.length === 0 ? [] : webhookSteps(events, hold)),
  ];
}

type Approval = TransferTimeline["approval"];

const sentStep = (at: string | null, detail: string | undefined): TimelineStep => ({
  what: "Sent to the bank",
  at,
  ...(at ? {} : { detail }),
});

/** Declined, or not approved in time: the bank never received it. */
const wasNeverSent = (approval: Approval) => approval?.state === "declined" || approval?.state === "expired";

function approvalStep({ state, by, at }: NonNullable<Approval>): TimelineStep {
  const who = by?.kind === "member" ? by.email : undefined;
  switch (state) {
    case "required":
      return { what: "Approval by a second person", at: null, detail: "Not yet. The money stays reserved meanwhile." };
    case "approved":
      return { what: "Approved", at, detail: who };
    case "declined":
      return { what: "Declined", at, detail: who, isBad: true };
    case "expired":
      return { what: "Not approved in time", at, isBad: true };
    case "lost":
      return {
        what: "Approval by a second person",
        at: null,
        detail: "Our database was restored while it was waiting. It will not be sent.",
        isBad: true,
      };
  }
}

function notYet(held: TransferTimeline["held_for"]): string {
  if (held === "merchant_suspended") return "On hold: this business is suspended. The money stays reserved.";
  if (held === "payouts_stopped") return "On hold: transfers are stopped. It will be sent once they start again.";
  return "Not yet.";
}

function endSteps(
  transfer: TransferTimeline["transfer"],
  reversedAt: string | null,
  events: Events | null,
): TimelineStep[] {
  const { status, completed_at, failure_reason } = transfer;
  if (status === "pending")
    return [{ what: "Waiting for the bank", at: null, detail: "We check with the bank until it reports the outcome." }];
  if (status === "failed")
    return [{ what: "Failed; returned to settled balance", at: completed_at, detail: failure_reason, isBad: true }];
  if (status === "success") return [{ what: "Paid by the bank", at: completed_at }];
  const paid = events?.find(({ event }) => event === "transfer.success");
  return [
    {
      what: "Paid by the bank",
      at: paid?.created_at ?? null,
      detail: paid ? undefined : "The time is temporarily unavailable.",
    },
    {
      what: "Reversed; returned to settled balance",
      at: reversedAt ?? completed_at,
      detail: failure_reason,
      isBad: true,
    },
  ];
}
