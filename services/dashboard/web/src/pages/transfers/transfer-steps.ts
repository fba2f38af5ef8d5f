import type { ReadResponse } from "../../api/calls.ts";
import type { TimelineStep } from "../../components/timeline.tsx";
import { type Events, webhookSteps } from "../../components/webhook-steps.ts";

/** The data of payments and webhooks about one transfer; null where the event log did not respond. */
export type TransferTimeline = ReadResponse<"transfers/:reference/timeline">;

/** The ledger transaction of the reserve; null if the ledger does not respond. */
type Reserve = ReadResponse<"transactions/:key"> | null;

/** Created, reserved, sent, and the outcome; then the webhook deliveries. */
export function transferSteps(
  { transfer, sent_at, reversed_at, events }: TransferTimeline,
  reserve: Reserve,
): TimelineStep[] {
  return [
    { what: "Created", at: transfer.created_at },
    {
      what: "Reserved from settled balance",
      at: reserve?.posted_at ?? null,
      detail: reserve ? undefined : "The ledger's timestamp is temporarily unavailable.",
    },
    sent_at
      ? { what: "Sent to the bank", at: sent_at }
      : { what: "Sent to the bank", at: null, detail: transfer.status === "pending" ? "Not yet." : undefined },
    ...endSteps(transfer, reversed_at, events),
    ...(transfer.status === "pending" && events?.length === 0 ? [] : webhookSteps(events)),
  ];
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
