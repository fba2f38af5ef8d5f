import { z } from "zod";
import { dayOf, inLagos, monthOf } from "./lagos.ts";
import { Happened, happened, mail, timeOf, unlinked } from "./mail-text.ts";
import { REPORTS, type ReportEvery } from "./report-schedule.ts";

/** The mails about a business, to those of its team whom the notice is for. Each names the business in its subject. */

const InBusiness = z.object({ at: z.string(), business: z.string(), merchant_id: z.string() });
const Act = InBusiness.extend(Happened.shape).extend({ who: z.string() });
const InMode = Act.extend({ mode: z.enum(["test", "live"]), what: z.string() });
const Limit = z.number().nullable();
const Payee = z.object({
  account: z.string(),
  bank: z.string(),
  name: z.string(),
  amount: z.number(),
  reference: z.string(),
  at: z.string(),
  ordered_by: z.string(),
});

/** A week or a month that has ended, as instants: the second is excluded. */
const Report = z.object({ every: z.enum(REPORTS), from: z.string(), before: z.string() });

/** Events that wait; unknown in a notice of an earlier release. */
const Waiting = z.int().optional();

const settings = (merchantId: string, page: string) => `/m/${merchantId}/live/settings/${page}`;
const developers = (merchantId: string, mode: string, page: string) => `/m/${merchantId}/${mode}/developers/${page}`;

export const MAILS_TO_TEAMS = {
  key_changed: mail(InMode, ({ business, merchant_id, what, who, mode, ...when }) => ({
    subject: `${what} of ${unlinked(business)}`,
    paragraphs: [
      `${what}: ${unlinked(business)}, ${mode} mode, by ${unlinked(who)}, ${happened(when)}.`,
      "If you don't expect this, roll the keys and remove the person from the team.",
    ],
    button: { label: "See the API keys", path: developers(merchant_id, mode, "keys") },
  })),
  webhook_changed: mail(
    InMode.extend({ url: z.string().nullish() }),
    ({ business, merchant_id, what, url, who, mode, ...when }) => ({
      subject: `${what}: webhook of ${unlinked(business)}`,
      paragraphs: [
        `The webhook of ${unlinked(business)} in ${mode} mode. ${what}${url ? ` (${unlinked(url.replace(/^https?:\/\//, ""))})` : ""}, by ${unlinked(who)}, ${happened(when)}.`,
        "If you don't expect this, set the URL again, roll the signing secret, and remove the person from the team.",
      ],
      button: { label: "See the webhook", path: developers(merchant_id, mode, "webhook") },
    }),
  ),
  business_profile_changed: mail(
    Act.extend({ email: z.string().nullish(), phone: z.string().nullish(), logo: z.string() }),
    ({ business, merchant_id, who, email, phone, logo, ...when }) => ({
      subject: `What payers see of ${unlinked(business)} was changed`,
      paragraphs: [
        `${unlinked(who)} changed how ${unlinked(business)} appears to payers, in both modes, ${happened(when)}.`,
        `Support email: ${unlinked(email ?? "none")}. Support phone: ${unlinked(phone ?? "none")}. The logo was ${logo}.`,
        "If you don't expect this, correct it at once, because payers may call or write to someone else. Then remove the person from the team.",
      ],
      button: { label: "See what payers see", path: settings(merchant_id, "business") },
    }),
  ),
  payout_limits_changed: mail(
    Act.extend({
      upcoming: z
        .object({ transfer_max: Limit, day_max: Limit, approval_above: Limit, effective_at: z.string() })
        .optional(),
    }),
    ({ business, merchant_id, who, upcoming, ...when }) => ({
      subject: `Higher transfer limits were requested for ${unlinked(business)}`,
      paragraphs: [
        `${unlinked(who)} requested higher transfer limits for ${unlinked(business)}, ${happened(when)}.`,
        upcoming
          ? `The new limits apply from ${timeOf(upcoming.effective_at)}. Per transfer: ${limit(upcoming.transfer_max)}. Per day: ${limit(upcoming.day_max)}. Approval by a second person: ${upcoming.approval_above === null ? "never" : `above ${naira(upcoming.approval_above)}`}.`
          : "We couldn't confirm whether the change was saved, so check the limits that apply now. A higher limit takes effect after 24 hours.",
        "To cancel the change, save the lower limits again before then. If you don't expect it, also remove the person from the team.",
      ],
      button: { label: "See the transfer limits", path: settings(merchant_id, "payouts") },
    }),
  ),
  member_role_changed: mail(
    Act.extend({ member: z.string(), from: z.string(), role: z.string() }),
    ({ business, merchant_id, who, member, from, role, ...when }) => ({
      subject: `A role in the team of ${unlinked(business)} was changed`,
      paragraphs: [
        `${unlinked(who)} changed the role of ${unlinked(member)} from ${from} to ${role}, ${happened(when)}.`,
        "If you don't expect this, change it back on the Team page.",
      ],
      button: { label: "See the team", path: settings(merchant_id, "team") },
    }),
  ),
  member_removed: mail(
    Act.extend({ member: z.string(), from: z.string(), left: z.boolean().optional() }),
    ({ business, merchant_id, who, member, from, left, ...when }) => ({
      subject: left
        ? `A member left the team of ${unlinked(business)}`
        : `A member of ${unlinked(business)} was removed`,
      paragraphs: [
        left
          ? `${unlinked(member)} (${from}) left the team, ${happened(when)}.`
          : `${unlinked(member)} (${from}) is no longer in the team: removed by ${unlinked(who)}, ${happened(when)}.`,
        "Home shows which keys and secrets that person could see, until they are rolled.",
      ],
      button: { label: "See the team", path: settings(merchant_id, "team") },
    }),
  ),
  member_joined: mail(Act.extend({ role: z.string() }), ({ business, merchant_id, who, role, ...when }) => ({
    subject: `A new member in the team of ${unlinked(business)}`,
    paragraphs: [
      `${unlinked(who)} joined the team with the role of ${role}, ${happened(when)}.`,
      "If you don't expect this, remove the person on the Team page.",
    ],
    button: { label: "See the team", path: settings(merchant_id, "team") },
  })),
  new_payees: mail(
    InBusiness.extend({ payees: z.array(Payee), count: z.int() }),
    ({ business, merchant_id, payees, count }) => ({
      subject:
        count === 1
          ? `First transfer of ${unlinked(business)} to a new account`
          : `First transfers of ${unlinked(business)} to ${count} new accounts`,
      paragraphs: [
        `${unlinked(business)} has created a live transfer to ${count === 1 ? "this account" : "each of these accounts"} for the first time:`,
        ...payees.map(payee),
        ...(count > payees.length ? [`And ${count - payees.length} more, listed under Transfers.`] : []),
        "If you don't expect this, decline what still waits for approval, roll the live keys, remove the person from the team, and contact our support, who can stop transfers.",
      ],
      button: { label: "See the transfers", path: `/m/${merchant_id}/live/transfers` },
    }),
  ),
  webhook_failing: mail(
    InBusiness.extend({ host: z.string(), failure: z.string(), waiting: Waiting }),
    ({ at, business, merchant_id, host, failure, waiting }) => ({
      subject: `The webhook of ${unlinked(business)} is failing`,
      paragraphs: [
        `Since ${timeOf(at)}, ${unlinked(host)} has acknowledged no live event of ${unlinked(business)}. The last attempt: ${unlinked(failure)}.`,
        `${waitingWords(waiting)}No event is lost: events are held, the oldest is retried, and all of them are sent in order once your server acknowledges one. Until then, your own records may not show payments that have arrived.`,
        "We will email you once more, when an event is acknowledged. Once your server works again, you can retry at once on the Webhook page.",
      ],
      button: { label: "See the webhook", path: developers(merchant_id, "live", "webhook") },
    }),
  ),
  webhook_recovered: mail(
    InBusiness.extend({ host: z.string(), waiting: Waiting }),
    ({ at, business, merchant_id, host, waiting }) => ({
      subject: `The webhook of ${unlinked(business)} works again`,
      paragraphs: [
        `${unlinked(host)} acknowledged a live event of ${unlinked(business)} again on ${timeOf(at)}.`,
        `${waitingWords(waiting)}The events it missed are being sent in order; the Webhook page shows how long that takes. Events that are no longer retried can be resent from the Events page.`,
      ],
      button: { label: "See the webhook", path: developers(merchant_id, "live", "webhook") },
    }),
  ),
  report: mail(InBusiness.extend(Report.shape), ({ at, business, merchant_id, every, from, before }) => {
    const { name, contents, page } = REPORTED[every]({ from, before });
    return {
      subject: `${name} of ${unlinked(business)}`,
      paragraphs: [
        `${name} of ${unlinked(business)}, as of ${timeOf(at)}: ${contents}.`,
        "Sign in to download it. No file is attached, because anyone with access to this mailbox could read it.",
        "You chose to get this email. To change that, open Emails in the settings.",
      ],
      button: { label: "Download", path: `/m/${merchant_id}/live/${page}` },
    };
  }),
  verification_approved: mail(InBusiness, ({ at, business, merchant_id }) => ({
    subject: `${unlinked(business)} is verified`,
    paragraphs: [
      `${unlinked(business)} was verified on ${timeOf(at)}: you can now create live keys and accept real payments.`,
    ],
    button: { label: "Go live", path: `/m/${merchant_id}/live/get-started` },
  })),
  verification_returned: mail(InBusiness.extend({ reason: z.string() }), ({ at, business, merchant_id, reason }) => ({
    subject: `The verification of ${unlinked(business)} needs a change`,
    paragraphs: [
      `We reviewed the details of ${unlinked(business)} on ${timeOf(at)}. They need a change before we can approve them:`,
      reason,
      "Correct the details and submit them again. What you entered is still there.",
    ],
    button: { label: "Open the verification", path: settings(merchant_id, "verification") },
  })),
};

/** What is ready of a period, and where. */
const REPORTED: Record<ReportEvery, (period: { from: string; before: string }) => Record<Described, string>> = {
  weekly: ({ from, before }) => ({
    name: `Settlements from ${dayOf(new Date(from))} to ${dayOf(new Date(Date.parse(before) - 1))}`,
    contents: "CSV, Excel, and files that Xero and QuickBooks import",
    page: `settlements?${new URLSearchParams({ from, before })}`,
  }),
  monthly: ({ from }) => ({
    name: `Statement for ${monthOf(new Date(from))}`,
    contents: "balances, payments received, fees, settlements and transfers, as PDF, CSV or Excel",
    page: `statements?month=${inLagos(from).slice(0, 7)}`,
  }),
};
type Described = "name" | "contents" | "page";

const payee = ({ at, amount, name, bank, account, reference, ordered_by }: z.output<typeof Payee>) =>
  `${naira(amount)} to ${unlinked(name)}, ${unlinked(bank)}, account ending in ${account.slice(-4)}. Reference ${unlinked(reference)}. Created by ${unlinked(ordered_by)} on ${timeOf(at)}.`;

/** The beginning of a sentence, or none. */
const waitingWords = (waiting: number | undefined) =>
  waiting ? `${waiting === 1 ? "1 event waits" : `${waiting.toLocaleString("en")} events wait`}. ` : "";

const FORMAT = new Intl.NumberFormat("en-NG", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const naira = (amount: number) => `₦${FORMAT.format(amount)}`;
const limit = (amount: number | null) => (amount === null ? "no limit" : `up to ${naira(amount)}`);
