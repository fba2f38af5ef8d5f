import { attachCollection, Browse, browseOf, Instant, Naira, Search } from "@collect/contracts";
import { z } from "zod";
import { INBOX_KINDS, NOTE_MAX } from "../domain/inbox.ts";
import { Attachable } from "./answers.ts";
import { act, composedAct, composedRead, type Declaration, only } from "./declaration.ts";

/** The calls of the Inbox, and of attaching the money that it lists, among those of a merchant. */

const Kind = z.enum(INBOX_KINDS);
const anItem = { kind: Kind, reference: z.string().min(1).max(100) };

const Person = z.object({ user_id: z.string(), name: z.string() });
const State = z.object({
  /** The member who takes care of it; null without one, or if they have left. */
  owner: Person.nullable(),
  done: z.object({ at: Instant, by: z.string(), note: z.string().nullable() }).nullable(),
});

/** Which of its fields an item has depends on its kind. One that is done has its reference only. */
const InboxItem = z.object({
  ...anItem,
  amount: Naira.nullable(),
  /** What arrived, of a session. */
  amount_received: Naira.nullable(),
  /** The payer, the customer or the beneficiary. */
  name: z.string().nullable(),
  /** The bank's reason, or the operator's. */
  reason: z.string().nullable(),
  /** Of a transfer that failed or was reversed, for programs. */
  failure_code: z.string().nullable(),
  /** How many events wait. */
  count: z.int().nullable(),
  at: Instant.nullable(),
  ...State.shape,
});

/** How many of each kind are not done. */
const InboxCounts = z.object({
  kinds: z.array(
    z.object({
      kind: Kind,
      /** Null if the service that knows does not answer. */
      count: z.int().nullable(),
      /** Whether there are more than were looked at. */
      has_more: z.boolean(),
    }),
  ),
});

export const INBOX_READS = {
  inbox: composedRead(z.object({}), InboxCounts),
  "inbox/:kind": composedRead(
    z.object({ kind: Kind, after: Browse.shape.after, state: z.enum(["open", "done"]).default("open") }),
    browseOf(InboxItem),
  ),
  "collections/:reference/attachable": composedRead(
    z.object({ reference: z.string().max(100), text: Search }),
    Attachable,
  ),
} satisfies Record<string, Declaration>;

const audit = (action: string, ...fields: string[]) => ({
  action,
  detail: only("kind", "reference", ...fields),
});

export const INBOX_ACTS = {
  "collections/:reference/attach": act("money", attachCollection, {
    recentlyAuthenticated: "live",
    audit: { action: "collection.attached", detail: only("reference", "payment_reference", "customer_reference") },
  }),
  "inbox/:kind/:reference/owner": composedAct("inbox", {
    input: z.object({ ...anItem, user_id: z.string().max(80).nullable() }),
    output: State,
    audit: audit("inbox.assigned", "user_id"),
  }),
  "inbox/:kind/:reference/done": composedAct("inbox", {
    input: z.object({
      ...anItem,
      note: z
        .string()
        .trim()
        .max(NOTE_MAX, `must be at most ${NOTE_MAX} characters`)
        .transform((note) => note || null)
        .nullable()
        .default(null),
    }),
    output: State,
    audit: audit("inbox.done"),
  }),
  "inbox/:kind/:reference/reopen": composedAct("inbox", {
    input: z.object(anItem),
    output: State,
    audit: audit("inbox.reopened"),
  }),
} satisfies Record<string, Declaration>;
