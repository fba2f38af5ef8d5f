import {
  activateSigningSecret,
  Browse,
  browseApiCalls,
  browseCollections,
  browseCustomerAccounts,
  browseDeliveries,
  browseEvents,
  browsePayers,
  browsePaymentLinks,
  browsePayments,
  browseSettlementLines,
  browseSettlements,
  browseTransfers,
  cancelReplay,
  cancelSigningSecret,
  countInboundExceptions,
  createPaymentLink,
  createTransfer,
  explainSignature,
  getBalance,
  getCollection,
  getCustomerAccount,
  getDelivery,
  getEvent,
  getLastReplay,
  getPaymentLink,
  getSettlement,
  getSettlementSchedule,
  getTransaction,
  getVerification,
  getWebhookHealth,
  issueCustomerAccount,
  listBanks,
  MemberRole,
  makeKeys,
  openPayment,
  replayEvent,
  resolveAccount,
  retireCustomerAccount,
  rollKey,
  sandboxPay,
  saveVerification,
  sendTestEvent,
  setPaymentLinkDisabled,
  setWebhookEndpoint,
  showMerchant,
  showPayment,
  showTransfer,
  simulatePayment,
  stageSigningSecret,
  startReplay,
  submitVerification,
  sumCollectionDays,
} from "@collect/contracts";
import { z } from "zod";
import { accountHint, businessHint, withoutQuery } from "../domain/audit-detail.ts";
import { Email } from "../domain/email.ts";
import {
  AuditLog,
  ChangedMember,
  Checklist,
  CollectionTimeline,
  InvitationLink,
  SettlementLines,
  Team,
  TransferTimeline,
  Webhook,
  WebhookSecrets,
} from "./answers.ts";
import {
  act,
  composedAct,
  composedList,
  composedRead,
  type Declaration,
  list,
  only,
  read,
  teamAct,
} from "./declaration.ts";

/**
 * Every call below `/api/m/:merchant/:mode`, by path: reads use GET, acts use POST. The pages import only the types, nothing at
 * run time.
 */

const NONE = z.object({});
const ByReference = z.object({ reference: z.string().max(100) });
const ByUser = z.object({ user_id: z.string().max(80) });

export const READS = {
  // ---- money ----
  balance: read(getBalance),
  schedule: read(getSettlementSchedule),
  "collection-days": read(sumCollectionDays),
  collections: list(browseCollections),
  "collections/:reference": read(getCollection),
  "collections/:reference/timeline": composedRead(ByReference, CollectionTimeline),
  payers: list(browsePayers),
  customers: list(browseCustomerAccounts),
  "customers/:customer_reference": read(getCustomerAccount),
  sessions: list(browsePayments),
  "sessions/:reference": read(showPayment),
  settlements: list(browseSettlements),
  "settlements/:reference": read(getSettlement),
  "settlements/:reference/lines": composedList(browseSettlementLines.input.omit({ merchant: true }), SettlementLines),
  "transactions/:key": read(getTransaction),
  transfers: list(browseTransfers),
  "transfers/:reference": read(showTransfer),
  "transfers/:reference/timeline": composedRead(ByReference, TransferTimeline),
  banks: read(listBanks),
  links: list(browsePaymentLinks),
  "links/:slug": read(getPaymentLink),

  // ---- developers ----
  keys: composedRead(NONE, showMerchant.output),
  webhook: composedRead(NONE, Webhook),
  "webhook/health": read(getWebhookHealth),
  events: list(browseEvents),
  "events/:sequence": read(getEvent),
  deliveries: list(browseDeliveries),
  "deliveries/:number": read(getDelivery),
  replay: read(getLastReplay),
  requests: list(browseApiCalls),
  exceptions: read(countInboundExceptions),

  // ---- the business and its people ----
  checklist: composedRead(NONE, Checklist),
  verification: read(getVerification),
  members: composedRead(NONE, Team),
  audit: composedList(Browse, AuditLog),
} satisfies Record<string, Declaration>;

export const ACTS = {
  // ---- money ----
  customers: act("developer", issueCustomerAccount),
  "customers/:customer_reference/retire": act("developer", retireCustomerAccount, {
    recentlyAuthenticated: true,
    audit: { action: "customer.retired", detail: only("customer_reference") },
  }),
  "customers/:customer_reference/simulate": act("developer", simulatePayment),
  simulate: act("developer", sandboxPay),
  sessions: act("developer", openPayment),
  "transfers/resolve": act("owner", resolveAccount),
  transfers: act("owner", createTransfer, {
    recentlyAuthenticated: true,
    audit: {
      action: "transfer.made",
      detail: (fields) => ({
        ...only("reference", "amount", "bank_code")(fields),
        account: accountHint(fields.account_number),
      }),
    },
  }),
  links: act("developer", createPaymentLink, {
    audit: { action: "link.made", detail: only("title", "amount", "expires_at", "uses_max") },
  }),
  "links/:slug/disabled": act("developer", setPaymentLinkDisabled, {
    audit: { action: "link.changed", detail: only("slug", "disabled") },
  }),

  // ---- developers ----
  // Test keys are created when the API keys page is first opened, without asking.
  "keys/make": act("developer", makeKeys, { recentlyAuthenticated: "live", audit: { action: "keys.made" } }),
  "keys/roll": act("developer", rollKey, {
    recentlyAuthenticated: true,
    audit: { action: "key.rolled", detail: only("kind", "overlap_hours") },
  }),
  webhook: composedAct("developer", {
    input: setWebhookEndpoint.input.omit({ merchant: true }),
    output: Webhook,
    recentlyAuthenticated: true,
    audit: { action: "webhook.set", detail: ({ url }) => ({ url: withoutQuery(url) }) },
  }),
  "webhook/reveal": composedAct("developer", {
    input: NONE,
    output: WebhookSecrets,
    recentlyAuthenticated: true,
    audit: { action: "webhook.secret_revealed" },
  }),
  "webhook/rotation/stage": act("developer", stageSigningSecret, {
    recentlyAuthenticated: true,
    audit: { action: "webhook.secret_staged" },
  }),
  "webhook/rotation/activate": act("developer", activateSigningSecret, {
    recentlyAuthenticated: true,
    audit: { action: "webhook.secret_activated" },
  }),
  "webhook/rotation/cancel": act("developer", cancelSigningSecret, {
    recentlyAuthenticated: true,
    audit: { action: "webhook.secret_cancelled" },
  }),
  "webhook/test": act("developer", sendTestEvent),
  "events/:sequence/replay": act("developer", replayEvent, {
    audit: { action: "event.replayed", detail: only("sequence") },
  }),
  replay: act("developer", startReplay, {
    audit: { action: "replay.started", detail: only("from_sequence", "to_sequence", "only_undelivered") },
  }),
  "replay/cancel": act("developer", cancelReplay, { audit: { action: "replay.cancelled" } }),
  "verify-signature": act("developer", explainSignature),

  // ---- the business and its people ----
  verification: act("owner", saveVerification, {
    audit: { action: "verification.saved", detail: businessHint, bothModes: true },
  }),
  "verification/submit": act("owner", submitVerification, {
    audit: { action: "verification.submitted", detail: businessHint, bothModes: true },
  }),
  "members/invite": teamAct({
    input: z.object({ email: Email, role: MemberRole }),
    output: InvitationLink,
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
