import {
  advanceTestClock,
  Browse,
  browseSettlementLines,
  cancelReplay,
  countInboundExceptions,
  createPaymentLink,
  explainSignature,
  getAmountLimit,
  getApiCall,
  getBalance,
  getBusinessProfile,
  getCheckoutSettings,
  getCollection,
  getCustomerAccount,
  getDelivery,
  getEvent,
  getFeeSchedule,
  getLastReplay,
  getPaymentLink,
  getSettlement,
  getSettlementSchedule,
  getTransaction,
  getVerification,
  issueAccountWithinLimit,
  MemberRole,
  openPayment,
  playScenario,
  readTestClock,
  replayEvent,
  retireCustomerAccount,
  SearchText,
  sandboxPay,
  saveVerification,
  sendTestEvent,
  setBusinessProfile,
  setCheckoutSettings,
  setPaymentLinkDisabled,
  showPayment,
  simulatePayment,
  startReplay,
  submitVerification,
  sumCollectionDays,
} from "@collect/contracts";
import { z } from "zod";
import { businessHint, profileDetail } from "../domain/audit-detail.ts";
import { Email } from "../domain/email.ts";
import { ACCOUNTING_READS } from "./accounting.ts";
import {
  AuditLog,
  ChangedMember,
  Checklist,
  CollectionTimeline,
  InvitationLink,
  Keys,
  MailChoice,
  Mails,
  RequestTrace,
  Resend,
  Resent,
  SearchResults,
  SettlementLines,
  Team,
} from "./answers.ts";
import { BOOK_READS } from "./books.ts";
import {
  type Announcement,
  act,
  composedAct,
  composedList,
  composedRead,
  type Declaration,
  only,
  read,
  teamAct,
} from "./declaration.ts";
import { INBOX_ACTS, INBOX_READS } from "./inbox.ts";
import { KEY_ACTS } from "./keys.ts";
import { LISTS } from "./lists.ts";
import { TRANSFER_ACTS, TRANSFER_READS } from "./transfers.ts";
import { WEBHOOK_ACTS, WEBHOOK_READS } from "./webhook.ts";

/** Every call below `/api/m/:merchant/:mode`, by path: reads use GET, acts POST. The pages import only the types. */

const NONE = z.object({});
const ByReference = z.object({ reference: z.string().max(100) });
/** Live payers call and write to these contacts, whichever mode they were set in. */
const PROFILE_CHANGED: Announcement = {
  kind: "business_profile_changed",
  to: ["owner"],
  detail: (fields) => {
    const { support_email: email, support_phone: phone, logo } = profileDetail(fields);
    return { email, phone, logo };
  },
};
const ByUser = z.object({ user_id: z.string().max(80) });

export const READS = {
  search: composedRead(z.object({ text: SearchText }), SearchResults),
  ...LISTS,

  // ---- money ----
  balance: read(getBalance),
  schedule: read(getSettlementSchedule),
  "collection-days": read(sumCollectionDays),
  "collections/:reference": read(getCollection),
  "collections/:reference/timeline": composedRead(ByReference, CollectionTimeline),
  "customers/:customer_reference": read(getCustomerAccount),
  "sessions/:reference": read(showPayment),
  ...ACCOUNTING_READS,
  "settlements/:reference": read(getSettlement),
  "settlements/:reference/lines": composedList(browseSettlementLines.input.omit({ merchant: true }), SettlementLines),
  "transactions/:key": read(getTransaction),
  ...BOOK_READS,
  ...TRANSFER_READS,
  fee: read(getFeeSchedule),
  "amount-limit": read(getAmountLimit),
  "links/:slug": read(getPaymentLink),

  // ---- developers ----
  keys: composedRead(NONE, Keys),
  ...WEBHOOK_READS,
  "checkout-settings": read(getCheckoutSettings),
  "events/:sequence": read(getEvent),
  "deliveries/:number": read(getDelivery),
  replay: read(getLastReplay),
  "requests/:id": composedRead(getApiCall.input.pick({ id: true }), RequestTrace),
  exceptions: read(countInboundExceptions),
  "test-clock": read(readTestClock),

  // ---- the business and its people ----
  ...INBOX_READS,
  "business-profile": read(getBusinessProfile),
  checklist: composedRead(NONE, Checklist),
  verification: read(getVerification),
  members: composedRead(NONE, Team),
  mails: composedRead(NONE, Mails),
  audit: composedList(Browse, AuditLog),
} satisfies Record<string, Declaration>;

export const ACTS = {
  // ---- money ----
  customers: act("collect", issueAccountWithinLimit, {
    audit: { action: "customer.issued", detail: only("customer_reference") },
  }),
  "customers/:customer_reference/retire": act("collect", retireCustomerAccount, {
    recentlyAuthenticated: true,
    audit: { action: "customer.retired", detail: only("customer_reference") },
  }),
  "customers/:customer_reference/simulate": act("collect", simulatePayment),
  simulate: act("collect", sandboxPay),
  sessions: act("collect", openPayment, {
    audit: { action: "session.created", detail: only("reference", "amount", "customer_reference") },
  }),
  ...TRANSFER_ACTS,
  "collections/resend": composedAct("resend", {
    input: Resend,
    output: Resent,
    audit: { action: "collections.resent", detail: only("references") },
  }),
  links: act("collect", createPaymentLink, {
    audit: { action: "link.made", detail: only("title", "amount", "expires_at", "uses_max") },
  }),
  "links/:slug/disabled": act("collect", setPaymentLinkDisabled, {
    audit: { action: "link.changed", detail: only("slug", "disabled") },
  }),

  // ---- developers ----
  ...KEY_ACTS,
  ...WEBHOOK_ACTS,
  "checkout-settings": act("keys", setCheckoutSettings, {
    recentlyAuthenticated: true,
    audit: { action: "checkout_settings.set", detail: only("return_hosts", "public_descriptions") },
  }),
  "webhook/test": act("webhooks", sendTestEvent, { audit: { action: "test_event.sent" } }),
  "events/:sequence/replay": act("resend", replayEvent, {
    audit: { action: "event.replayed", detail: only("sequence") },
  }),
  replay: act("resend", startReplay, {
    audit: { action: "replay.started", detail: only("from_sequence", "to_sequence", "only_undelivered") },
  }),
  "replay/cancel": act("resend", cancelReplay, { audit: { action: "replay.cancelled" } }),
  "verify-signature": act("webhooks", explainSignature),
  "test-clock": act("collect", advanceTestClock, {
    audit: { action: "test_clock.advanced", detail: only("advance_by", "advance_to") },
  }),
  scenarios: act("collect", playScenario, {
    audit: { action: "scenario.played", detail: only("name", "seed", "account_number", "amount", "paid_at", "times") },
  }),

  // ---- the business and its people ----
  ...INBOX_ACTS,
  "business-profile": act("keys", setBusinessProfile, {
    recentlyAuthenticated: true,
    audit: { action: "business_profile.set", detail: profileDetail, bothModes: true },
    announces: PROFILE_CHANGED,
  }),
  verification: act("business", saveVerification, {
    audit: { action: "verification.saved", detail: businessHint, bothModes: true },
  }),
  "verification/submit": act("business", submitVerification, {
    confirmed: true,
    audit: { action: "verification.submitted", detail: businessHint, bothModes: true },
  }),
  mails: composedAct("read", {
    input: MailChoice,
    output: Mails,
    alsoNeeds: ({ reports }) => (reports ? "exports" : "read"),
    audit: { action: "mails.set", detail: only("webhook", "reports"), bothModes: true },
  }),
  "members/invite": teamAct({
    input: z.object({ email: Email, role: MemberRole }),
    output: InvitationLink,
    confirmed: true,
    audit: { action: "member.invited", detail: only("email", "role") },
  }),
  "members/:user_id/role": teamAct({
    input: ByUser.extend({ role: MemberRole }),
    output: ChangedMember,
    audit: { action: "member.role_changed", detail: only("user_id", "role") },
  }),
  "members/:user_id/remove": teamAct({
    input: ByUser,
    output: ChangedMember,
    orOneself: true,
    audit: { action: "member.removed", detail: only("user_id") },
  }),
  "invitations/:id/revoke": teamAct({
    input: z.object({ id: z.string().max(80) }),
    output: z.object({ id: z.string() }),
    audit: { action: "invitation.revoked", detail: only("id") },
  }),
} satisfies Record<string, Declaration>;
