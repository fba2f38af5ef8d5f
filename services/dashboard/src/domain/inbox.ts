/** What can wait for a person: the kinds of the Inbox, in the order in which they are shown. */
export const INBOX_KINDS = [
  /** Transfers above the threshold that nobody has approved. */
  "approval",
  /** The same for files of transfers, of which nothing is reserved yet. */
  "file",
  "failed",
  "reversed",
  /** Money that matches neither a session nor a customer. */
  "unmatched",
  "underpaid",
  "overpaid",
  /** Sessions whose exact amount came again after they were paid. */
  "paid_twice",
  /** Collections of which the bank took something back. */
  "taken_back",
  /** Deliveries that are held, paused, retried or given up. */
  "webhook",
  /** The operator asked for changes to the business's details. */
  "verification",
] as const;
export type InboxKind = (typeof INBOX_KINDS)[number];

/** These leave the Inbox by what is done about them, and by nothing else. All others stay facts: a person says that they are done. */
const ENDING_BY_THEMSELVES: readonly InboxKind[] = ["approval", "file", "webhook", "verification"];
export const endsByItself = (kind: InboxKind): boolean => ENDING_BY_THEMSELVES.includes(kind);

export const NOTE_MAX = 500;
