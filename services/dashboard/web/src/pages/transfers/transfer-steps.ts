import type { ReadResponse } from "../../api/calls.ts";
import type { TimelineStep } from "../../components/timeline.tsx";
import { type Events, webhookSteps } from "../../components/webhook-steps.ts";

/** What payments and webhooks know of one transfer; null where the event log did not answer. */
export type TransferTimeline = ReadResponse<"transfers/:reference/timeline">;

/** What the ledger booked to hold the money; null where it does not answer. */
type Held = ReadResponse<"transactions/:key"> | null;

/** Created, held, sent, and how it ended; then who was told. */
export function transferSteps(
  { transfer, sent_at, reversed_at, events }: TransferTimeline,
  held: Held,
): TimelineStep[] {
  return [
    { what: "Created", at: transfer.created_at },
    {
      what: "Held from Settled",
      at: held?.posted_at ?? null,
      detail: held ? undefined : "The ledger's time is unavailable for now.",
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
    return [
      { what: "The bank's word", at: null, detail: "The bank is asked again and again until it says how it ended." },
    ];
  if (status === "failed")
    return [{ what: "Failed; back in Settled", at: completed_at, detail: failure_reason, isBad: true }];
  if (status === "success") return [{ what: "Paid by the bank", at: completed_at }];
  const paid = events?.find(({ event }) => event === "transfer.success");
  return [
    {
      what: "Paid by the bank",
      at: paid?.created_at ?? null,
      detail: paid ? undefined : "Its time is unavailable for now.",
    },
    { what: "Reversed; back in Settled", at: reversedAt ?? completed_at, detail: failure_reason, isBad: true },
  ];
}
