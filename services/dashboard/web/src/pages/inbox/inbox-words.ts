import type { ReadResponse } from "../../api/calls.ts";
import { money } from "../../components/money.tsx";
import { waitingWords } from "../webhook/hold-words.ts";

export type Item = ReadResponse<"inbox/:kind">["data"][number];
export type Kind = Item["kind"];

/** A kind's heading, and what it means for the money. `done`: the act of a person who has dealt with it; null if it ends by itself. */
type Words = { title: string; meaning: string; open: string; done: string | null };

export const KINDS: Record<Kind, Words> = {
  approval: {
    title: "Transfers waiting for approval",
    meaning: "The money is reserved, and is sent only once a second person approves it.",
    open: "Review",
    done: null,
  },
  file: {
    title: "Bulk transfers waiting for approval",
    meaning: "Nothing is sent, and nothing is reserved, until a second person approves it.",
    open: "Review",
    done: null,
  },
  failed: {
    title: "Failed transfers",
    meaning: "The money is back in your settled balance. Send it again, or mark the transfer as done.",
    open: "View transfer",
    done: "Mark as done",
  },
  reversed: {
    title: "Reversed transfers",
    meaning: "The bank paid them and took them back. The money is in your settled balance again.",
    open: "View transfer",
    done: "Mark as done",
  },
  unmatched: {
    title: "Unmatched money",
    meaning:
      "It matches no session and no customer, but it is in your balance. Attach it to the session or customer it is for, or mark it as done.",
    open: "View collection",
    done: "Mark as done",
  },
  underpaid: {
    title: "Underpaid sessions",
    meaning:
      "Less arrived than requested. What arrived is in your balance. If the session has a customer, ask for the rest while it is open; otherwise create a new session for it. You can also accept less.",
    open: "View session",
    done: "Mark as done",
  },
  overpaid: {
    title: "Overpaid sessions",
    meaning:
      "More arrived than requested. All of it is in your balance. Return the excess, or agree with the payer to keep it.",
    open: "View session",
    done: "Mark as done",
  },
  paid_twice: {
    title: "Sessions paid twice",
    meaning:
      "The exact amount arrived again after the session was paid. All of it is in your balance. Return the excess, or agree with the payer to keep it.",
    open: "View session",
    done: "Mark as done",
  },
  taken_back: {
    title: "Payments taken back by the bank",
    meaning:
      "They arrived, and the bank took them back, or a part of them. The money has left your balance, and our fee for it was returned. Stop the order, or ask the payer for a new payment.",
    open: "View collection",
    done: "Mark as done",
  },
  webhook: {
    title: "Webhook",
    meaning: "Payments are credited, but your server has not been notified of all of them. No event is lost.",
    open: "View webhook",
    done: null,
  },
  verification: {
    title: "Business verification",
    meaning: "It needs changes before your business can take live payments.",
    open: "Make changes",
    done: null,
  },
};

/** Where an item is dealt with, below the merchant and mode. */
export function pathOf({ kind, reference }: Pick<Item, "kind" | "reference">): string {
  const record = encodeURIComponent(reference);
  switch (kind) {
    case "unmatched":
    case "taken_back":
      return `collections/${record}`;
    case "underpaid":
    case "overpaid":
    case "paid_twice":
      return `sessions/${record}`;
    case "approval":
    case "failed":
    case "reversed":
      return `transfers/${record}`;
    case "file":
      return `transfers/bulk/${record}`;
    case "webhook":
      return reference === "failing" || reference === "exhausted"
        ? `developers/deliveries?status=${reference}`
        : "developers/webhook";
    case "verification":
      return "settings/verification";
  }
}

const WAY: Partial<Record<Kind, string>> = { unmatched: "from", file: "in" };

/** The amount that needs attention, and what it is: `₦10.50` `missing of ₦100.50`. */
export function sumWords({ kind, amount, amount_received }: Item): { sum: number; of: string } | undefined {
  if (amount === null) return undefined;
  if (amount_received === null) return { sum: amount, of: WAY[kind] ?? "to" };
  // Of two amounts with kobo, in binary.
  const sum = Math.round(Math.abs(amount - amount_received) * 100) / 100;
  if (kind === "taken_back") return { sum, of: `taken back of ${money(amount)}` };
  return { sum, of: `${amount > amount_received ? "missing of" : "more than"} ${money(amount)}` };
}

const EVENTS: Record<string, (count: number) => string> = {
  held: (count) => `Your server is failing, so events are held. ${waitingWords(count)}`,
  paused: (count) => `Deliveries are paused. ${waitingWords(count)}`,
  unchecked: (count) =>
    `Deliveries are paused after a restore of our records: check your URL and signing secret. ${waitingWords(count)}`,
  failing: (count) => `${counted(count)} being retried, because your server did not accept them.`,
  exhausted: (count) => `${counted(count)} no longer retried, after 16 attempts. Resend them once your server works.`,
};

/** What is said of an item without an amount. */
export function factWords({ kind, reference, reason, count }: Item): string | undefined {
  if (kind === "file") return count === 1 ? "1 transfer" : `${(count ?? 0).toLocaleString("en")} transfers`;
  if (kind === "webhook") return EVENTS[reference]?.(count ?? 0);
  return kind === "verification" ? `Reason: ${reason ?? "ask us"}` : (reason ?? undefined);
}

/** The services count up to a limit only. */
const counted = (count: number) =>
  count === 1 ? "1 event is" : `${count.toLocaleString("en")} events${count >= 1_000 ? " or more" : ""} are`;

/** How many are open, of all kinds; with a plus if there are more than were counted. */
export function openCount(kinds: ReadResponse<"inbox">["kinds"]): string | undefined {
  const total = kinds.reduce((sum, { count }) => sum + (count ?? 0), 0);
  const hasMore = kinds.some(({ has_more }) => has_more);
  return total > 0 || hasMore ? `${total}${hasMore ? "+" : ""}` : undefined;
}
