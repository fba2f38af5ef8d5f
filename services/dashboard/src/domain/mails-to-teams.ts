import { z } from "zod";
import { Happened, happened, mail, timeOf, unlinked } from "./mail-text.ts";

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
        `${unlinked(who)} changed how ${unlinked(business)} shows itself to payers, in both modes, ${happened(when)}.`,
        `Support email: ${unlinked(email ?? "none")}. Support phone: ${unlinked(phone ?? "none")}. The logo was ${logo}.`,
        "If you don't expect this, correct it at once, since payers may call or write to somebody else, and remove the person from the team.",
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
      subject: `Higher payout limits were ordered for ${unlinked(business)}`,
      paragraphs: [
        `${unlinked(who)} changed the limits on payouts of ${unlinked(business)}, ${happened(when)}.`,
        upcoming
          ? `From ${timeOf(upcoming.effective_at)} they allow more. A payout: ${limit(upcoming.transfer_max)}. A day: ${limit(upcoming.day_max)}. A second person approves: ${upcoming.approval_above === null ? "nothing" : `above ${naira(upcoming.approval_above)}`}.`
          : "We could not record how it ended: look at what applies now. A change that allows more takes effect a day later.",
        "To stop it, set the limits lower again before then: that replaces the change at once. If you don't expect it, also remove the person from the team.",
      ],
      button: { label: "See the payout limits", path: settings(merchant_id, "payouts") },
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
      `${unlinked(who)} joined the team in the role: ${role}, ${happened(when)}.`,
      "If you don't expect this, remove the person on the Team page.",
    ],
    button: { label: "See the team", path: settings(merchant_id, "team") },
  })),
  new_payees: mail(
    InBusiness.extend({ payees: z.array(Payee), count: z.int() }),
    ({ business, merchant_id, payees, count }) => ({
      subject:
        count === 1
          ? `First payout of ${unlinked(business)} to a new account`
          : `First payouts of ${unlinked(business)} to ${count} new accounts`,
      paragraphs: [
        `${unlinked(business)} has ordered a live payout to ${count === 1 ? "this account" : "each of these accounts"} for the first time:`,
        ...payees.map(payee),
        ...(count > payees.length ? [`And ${count - payees.length} more, which the list of payouts shows.`] : []),
        "If you don't expect this, decline what still waits for approval, roll the live keys, remove the person, and contact our support: it can stop payouts.",
      ],
      button: { label: "See the payouts", path: `/m/${merchant_id}/live/transfers` },
    }),
  ),
  webhook_failing: mail(
    InBusiness.extend({ host: z.string(), failure: z.string(), waiting: Waiting }),
    ({ at, business, merchant_id, host, failure, waiting }) => ({
      subject: `The webhook of ${unlinked(business)} is failing`,
      paragraphs: [
        `Since ${timeOf(at)}, ${unlinked(host)} has acknowledged no live event of ${unlinked(business)}. The last attempt: ${unlinked(failure)}.`,
        `${waitingWords(waiting)}Nothing is lost: events are held, the oldest is tried again and again, and all of them are sent in order once your server acknowledges one. Customers may not be credited on your side meanwhile.`,
        "You get one more mail, once an event is acknowledged. When your server works again, you can try it at once on the webhook page.",
      ],
      button: { label: "See the webhook", path: developers(merchant_id, "live", "webhook") },
    }),
  ),
  webhook_recovered: mail(
    InBusiness.extend({ host: z.string(), waiting: Waiting }),
    ({ at, business, merchant_id, host, waiting }) => ({
      subject: `The webhook of ${unlinked(business)} works again`,
      paragraphs: [
        `${unlinked(host)} acknowledged a live event of ${unlinked(business)} again, on ${timeOf(at)}.`,
        `${waitingWords(waiting)}What it missed is being sent in order; the webhook page shows how long it will take. Events that were given up can be sent again on the Events page.`,
      ],
      button: { label: "See the webhook", path: developers(merchant_id, "live", "webhook") },
    }),
  ),
  verification_approved: mail(InBusiness, ({ at, business, merchant_id }) => ({
    subject: `${unlinked(business)} is verified`,
    paragraphs: [
      `${unlinked(business)} was verified on ${timeOf(at)}: you can now create live keys and accept real payments.`,
    ],
    button: { label: "Go live", path: `/m/${merchant_id}/live/get-started` },
  })),
  verification_returned: mail(InBusiness.extend({ reason: z.string() }), ({ at, business, merchant_id, reason }) => ({
    subject: `Your verification of ${unlinked(business)} needs a change`,
    paragraphs: [
      `We reviewed the details of ${unlinked(business)} and sent them back to you on ${timeOf(at)}:`,
      reason,
      "Correct them and submit again.",
    ],
    button: { label: "Open the verification", path: settings(merchant_id, "verification") },
  })),
};

const payee = ({ at, amount, name, bank, account, reference, ordered_by }: z.output<typeof Payee>) =>
  `${naira(amount)} to ${unlinked(name)}, ${unlinked(bank)}, account ending in ${account.slice(-4)}. Reference ${unlinked(reference)}. Ordered by ${unlinked(ordered_by)} on ${timeOf(at)}.`;

/** The beginning of a sentence, or none. */
const waitingWords = (waiting: number | undefined) =>
  waiting ? `${waiting === 1 ? "1 event waits" : `${waiting.toLocaleString("en")} events wait`}. ` : "";

const FORMAT = new Intl.NumberFormat("en-NG", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const naira = (amount: number) => `₦${FORMAT.format(amount)}`;
const limit = (amount: number | null) => (amount === null ? "no limit" : `up to ${naira(amount)}`);
