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
  CollectionRecord,
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
  type MemberRole,
  makeKeys,
  openPayment,
  type RequestContract,
  replayEvent,
  resolveAccount,
  retireCustomerAccount,
  rollKey,
  sandboxPay,
  saveVerification,
  sendTestEvent,
  setPaymentLinkDisabled,
  setWebhookEndpoint,
  showPayment,
  showTransfer,
  simulatePayment,
  stageSigningSecret,
  startReplay,
  submitVerification,
  sumCollectionDays,
} from "@collect/contracts";
import { z } from "zod";
import { accountHint, withoutQuery } from "./domain/audit-detail.ts";
import { rowOf } from "./domain/csv.ts";
import { Acts, listAudit } from "./handlers/audit.ts";
import type { Call, Fields } from "./handlers/call.ts";
import { keysOfMode } from "./handlers/keys.ts";
import { listSettlementLines, showChecklist, tellCollection, tellTransfer } from "./handlers/stories.ts";
import {
  ByInvitation,
  ChangeRole,
  changeRole,
  Invite,
  invite,
  RemoveMember,
  removeMember,
  revokeInvitation,
  showTeam,
} from "./handlers/team.ts";
import { revealSecret, setWebhook, showWebhook } from "./handlers/webhook.ts";

/** A row of the API below `/api/m/:merchant/:mode`: who may call it, and the request or the function that answers. */
export type Endpoint = {
  method: "GET" | "POST";
  path: `/${string}`;
  role: MemberRole;
  /** Only with a proof of who sits there that is not older than ten minutes. */
  fresh?: true;
  /** Written to the audit log before and after, with what of its fields says what was done. Never anything secret. */
  audit?: { action: string; detail?: (fields: Fields) => Fields; bothModes?: true };
  /** A list that is also there as CSV: what its rows are. */
  rows?: z.ZodObject;
} & (
  | { request: RequestContract }
  /** Its fields are checked against the schema; merchant and mode are not among them. */
  | { fields: z.ZodObject; answer: (call: Call) => Promise<unknown> }
);

const NONE = z.object({});
const ByReference = z.object({ reference: z.string().max(100) });

export const ENDPOINTS: readonly Endpoint[] = [
  // ---- money ----
  get("/balance", getBalance),
  get("/schedule", getSettlementSchedule),
  get("/collection-days", sumCollectionDays),
  list("/collections", browseCollections),
  get("/collections/:reference", getCollection),
  { method: "GET", path: "/collections/:reference/story", role: "viewer", fields: ByReference, answer: tellCollection },
  list("/payers", browsePayers),
  list("/customers", browseCustomerAccounts),
  get("/customers/:customer_reference", getCustomerAccount),
  post("/customers", "developer", issueCustomerAccount),
  {
    ...post("/customers/:customer_reference/retire", "developer", retireCustomerAccount),
    fresh: true,
    audit: { action: "customer.retired", detail: only("customer_reference") },
  },
  post("/customers/:customer_reference/simulate", "developer", simulatePayment),
  post("/simulate", "developer", sandboxPay),
  list("/sessions", browsePayments),
  get("/sessions/:reference", showPayment),
  post("/sessions", "developer", openPayment),
  list("/settlements", browseSettlements),
  get("/settlements/:reference", getSettlement),
  {
    method: "GET",
    path: "/settlements/:reference/lines",
    role: "viewer",
    rows: rowOf(browseSettlementLines.output).extend({ collection: CollectionRecord.nullable() }),
    fields: browseSettlementLines.input.omit({ merchant: true }),
    answer: listSettlementLines,
  },
  get("/transactions/:key", getTransaction),
  list("/transfers", browseTransfers),
  // Before the row whose path it would fit, too.
  post("/transfers/resolve", "owner", resolveAccount),
  get("/transfers/:reference", showTransfer),
  { method: "GET", path: "/transfers/:reference/story", role: "viewer", fields: ByReference, answer: tellTransfer },
  {
    ...post("/transfers", "owner", createTransfer),
    fresh: true,
    audit: {
      action: "transfer.made",
      detail: (fields) => ({
        ...only("reference", "amount", "bank_code")(fields),
        account: accountHint(fields.account_number),
      }),
    },
  },
  get("/banks", listBanks),
  list("/links", browsePaymentLinks),
  get("/links/:slug", getPaymentLink),
  {
    ...post("/links", "developer", createPaymentLink),
    audit: { action: "link.made", detail: only("title", "amount", "expires_at", "uses_max") },
  },
  {
    ...post("/links/:slug/disabled", "developer", setPaymentLinkDisabled),
    audit: { action: "link.changed", detail: only("slug", "disabled") },
  },

  // ---- developers ----
  { method: "GET", path: "/keys", role: "viewer", fields: NONE, answer: keysOfMode },
  { ...post("/keys/make", "developer", makeKeys), audit: { action: "keys.made" } },
  {
    ...post("/keys/roll", "developer", rollKey),
    fresh: true,
    audit: { action: "key.rolled", detail: only("kind", "overlap_hours") },
  },
  { method: "GET", path: "/webhook", role: "viewer", fields: NONE, answer: showWebhook },
  {
    method: "POST",
    path: "/webhook",
    role: "developer",
    fresh: true,
    audit: { action: "webhook.set", detail: ({ url }) => ({ url: withoutQuery(url) }) },
    fields: setWebhookEndpoint.input.omit({ merchant: true }),
    answer: setWebhook,
  },
  {
    method: "POST",
    path: "/webhook/reveal",
    role: "developer",
    fresh: true,
    audit: { action: "webhook.secret_revealed" },
    fields: NONE,
    answer: revealSecret,
  },
  rotation("/webhook/rotation/stage", stageSigningSecret, "webhook.secret_staged"),
  rotation("/webhook/rotation/activate", activateSigningSecret, "webhook.secret_activated"),
  rotation("/webhook/rotation/cancel", cancelSigningSecret, "webhook.secret_cancelled"),
  post("/webhook/test", "developer", sendTestEvent),
  get("/webhook/health", getWebhookHealth),
  list("/events", browseEvents),
  get("/events/:sequence", getEvent),
  {
    ...post("/events/:sequence/replay", "developer", replayEvent),
    audit: { action: "event.replayed", detail: only("sequence") },
  },
  list("/deliveries", browseDeliveries),
  get("/deliveries/:number", getDelivery),
  get("/replay", getLastReplay),
  {
    ...post("/replay", "developer", startReplay),
    audit: { action: "replay.started", detail: only("from_sequence", "to_sequence", "only_undelivered") },
  },
  { ...post("/replay/cancel", "developer", cancelReplay), audit: { action: "replay.cancelled" } },
  post("/verify-signature", "developer", explainSignature),
  list("/requests", browseApiCalls),
  get("/exceptions", countInboundExceptions),

  // ---- the business and its people ----
  { method: "GET", path: "/checklist", role: "viewer", fields: NONE, answer: showChecklist },
  get("/verification", getVerification),
  post("/verification", "owner", saveVerification),
  {
    ...post("/verification/submit", "owner", submitVerification),
    audit: { action: "verification.submitted", bothModes: true },
  },
  { method: "GET", path: "/members", role: "viewer", fields: NONE, answer: showTeam },
  team("/members/invite", Invite, invite, "member.invited", "email", "role"),
  team("/members/:user_id/role", ChangeRole, changeRole, "member.role_changed", "user_id", "role"),
  team("/members/:user_id/remove", RemoveMember, removeMember, "member.removed", "user_id"),
  team("/invitations/:id/revoke", ByInvitation, revokeInvitation, "invitation.revoked", "id"),
  { method: "GET", path: "/audit", role: "viewer", rows: rowOf(Acts), fields: Browse, answer: listAudit },
];

function get(path: Endpoint["path"], request: RequestContract): Endpoint {
  return { method: "GET", path, role: "viewer", request };
}

function list(path: Endpoint["path"], request: RequestContract): Endpoint {
  return { ...get(path, request), rows: rowOf(request.output) };
}

function post(path: Endpoint["path"], role: MemberRole, request: RequestContract): Endpoint {
  return { method: "POST", path, role, request };
}

function rotation(path: Endpoint["path"], request: RequestContract, action: string): Endpoint {
  return { ...post(path, "developer", request), fresh: true, audit: { action } };
}

/** What an owner does about people, in both modes. */
function team(
  path: Endpoint["path"],
  fields: z.ZodObject,
  answer: (call: Call) => Promise<unknown>,
  action: string,
  ...told: string[]
): Endpoint {
  const audit = { action, detail: only(...told), bothModes: true } as const;
  return { method: "POST", path, role: "owner", fresh: true, audit, fields, answer };
}

/** These of the fields, where they were given. */
function only(...names: string[]): (fields: Fields) => Fields {
  return (fields) => Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}
