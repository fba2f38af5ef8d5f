import { z } from "zod";
import { Actor } from "../actor.ts";
import { Id, Instant, Naira } from "../fields.ts";
import { request } from "../message.ts";

/**
 * What the dashboard mails to members of a team, and other services know. Each announcement has a key: it is listed until it is
 * acknowledged, so that none is lost, and mailed once however often it is listed.
 */

const Keys = z.object({ keys: z.array(z.string().min(1).max(200)).max(100) });
const Announced = z.object({ key: z.string(), merchant_id: Id, at: Instant });
export const ANNOUNCEMENTS_A_PAGE = 50;

const Payee = z.object({
  reference: Id,
  amount: Naira,
  ordered_at: Instant,
  bank_name: z.string(),
  account_number: z.string(),
  account_name: z.string(),
  /** Null for an order whose actor was lost, or is not known. */
  ordered_by: Actor.nullable(),
});

export const listNewPayees = request({
  subject: "payments.payees.unannounced",
  callers: ["dashboard"],
  meaning:
    "Accounts that a merchant ordered a live payout to for the first time. Those of a quarter of an hour are one announcement, with the details of ten of them.",
  input: z.object({}),
  output: z.object({ announcements: z.array(Announced.extend({ count: z.int(), payees: z.array(Payee) })) }),
});

export const acknowledgeNewPayees = request({
  subject: "payments.payees.acknowledge",
  callers: ["dashboard"],
  meaning: "These announcements of new payees are noted, and are listed no more.",
  input: Keys,
  output: z.object({}),
});

export const listEndpointChanges = request({
  subject: "webhooks.endpoint_changes.unannounced",
  callers: ["dashboard"],
  meaning: "Live webhook endpoints that have begun to fail, or have recovered.",
  input: z.object({}),
  output: z.object({
    announcements: z.array(
      Announced.extend({
        state: z.enum(["failing", "recovered"]),
        host: z.string(),
        failure: z.string().nullable(),
        /** Events that are held, counted up to 100,000. */
        waiting: z.int(),
      }),
    ),
  }),
});

export const acknowledgeEndpointChanges = request({
  subject: "webhooks.endpoint_changes.acknowledge",
  callers: ["dashboard"],
  meaning: "These changes are noted, and are listed no more.",
  input: Keys,
  output: z.object({}),
});
