import { Badge } from "@mantine/core";

/** The label and color of a status; the color never carries information on its own. */
const STATUSES: Record<string, { word: string; color: string }> = {
  active: { word: "Active", color: "green" },
  retired: { word: "Retired", color: "gray" },
  disabled: { word: "Off", color: "gray" },
  used_up: { word: "Use limit reached", color: "gray" },
  held: { word: "Reserved by open sessions", color: "blue" },
  received: { word: "Received", color: "green" },
  partly_reversed: { word: "Partly reversed", color: "orange" },
  pending: { word: "Pending", color: "blue" },
  processing: { word: "Processing", color: "blue" },
  paid: { word: "Paid", color: "green" },
  paid_late: { word: "Paid late", color: "green" },
  underpaid: { word: "Underpaid", color: "orange" },
  overpaid: { word: "Overpaid", color: "violet" },
  expired: { word: "Expired", color: "gray" },
  success: { word: "Success", color: "green" },
  failed: { word: "Failed", color: "red" },
  reversed: { word: "Reversed", color: "orange" },
  delivered: { word: "Delivered", color: "green" },
  failing: { word: "Retrying", color: "orange" },
  exhausted: { word: "Failed", color: "red" },
  superseded: { word: "Superseded", color: "gray" },
  draft: { word: "Draft", color: "gray" },
  submitted: { word: "In review", color: "blue" },
  approved: { word: "Approved", color: "green" },
  returned: { word: "Returned", color: "orange" },
  running: { word: "Running", color: "blue" },
  done: { word: "Done", color: "green" },
  cancelled: { word: "Stopped", color: "gray" },
  refused: { word: "Refused", color: "orange" },
  unknown: { word: "Unknown", color: "gray" },
};

export function statusWord(status: string): string {
  return STATUSES[status]?.word ?? status;
}

/** These statuses, for a filter. */
export const statusOptions = (statuses: string[]) => statuses.map((value) => ({ value, label: statusWord(value) }));

/** It is read whole or not at all: it never shrinks. */
export function Status({ status }: { status: string }) {
  return (
    <Badge color={STATUSES[status]?.color ?? "gray"} miw="max-content" style={{ flexShrink: 0 }}>
      {statusWord(status)}
    </Badge>
  );
}
