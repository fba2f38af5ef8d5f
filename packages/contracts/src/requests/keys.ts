import { z } from "zod";
import { Id, Instant, Mode, Name, OperatorReason } from "../fields.ts";
import { request } from "../message.ts";

/** Restricted keys: secret keys that can make only some of the calls. */

/** What a restricted key can be allowed to do. */
export const KEY_SCOPES = [
  "accounts",
  "payments",
  "collections",
  "events",
  "transfers:read",
  "transfers:write",
  "balance",
] as const;
export const KeyScope = z.enum(KEY_SCOPES);
export type KeyScope = z.infer<typeof KeyScope>;

export const ADDRESSES_MAX = 20;

export const createRestrictedKey = request({
  subject: "gateway.restricted_key.create",
  callers: ["dashboard"],
  sealed: "orders",
  meaning:
    "Create a restricted key; only this response contains it. A name that an active key of the mode has, or too many keys: conflict.",
  input: z.object({
    merchant_id: Id,
    mode: Mode,
    name: Name,
    scopes: z.array(KeyScope).min(1, "must contain at least one scope").max(KEY_SCOPES.length),
    /** IPv4 or IPv6 addresses, or networks such as 102.89.0.0/16; none: from anywhere. */
    addresses: z.array(z.string().trim().min(1).max(60)).max(ADDRESSES_MAX).default([]),
  }),
  output: z.object({ key: z.string(), key_id: z.string() }),
});

export const revokeRestrictedKey = request({
  subject: "gateway.restricted_key.revoke",
  callers: ["dashboard", "operator"],
  operator: { action: "restricted_key.revoked", detail: ["key_id", "reason"], result: ["expires_at"] },
  meaning: "Revoke a restricted key at once; a repeat changes nothing.",
  input: z.object({
    merchant_id: Id,
    mode: Mode,
    key_id: z.string().regex(/^\d{1,18}$/),
    /** Why, for the audit log. An operator says it. */
    reason: OperatorReason.optional(),
  }),
  output: z.object({ key_id: z.string(), expires_at: Instant }),
});
