import { z } from "zod";
import { Actor } from "../actor.ts";
import { Id, Instant, Mode, Name } from "../fields.ts";
import { request } from "../message.ts";
import { KeyScope } from "./keys.ts";
import { Merchant } from "./merchant.ts";
import { Suspension } from "./standing.ts";

const hourly = z.int().min(1).max(1_000_000);
export const RateLimits = z.object({ accounts: hourly, reads: hourly });
const KeyKind = z.enum(["secret", "public"]);

export const createMerchant = request({
  subject: "gateway.merchant.create",
  callers: ["operator"],
  operator: { action: "merchant.created", detail: ["name", "rate_limits"], result: ["merchant_id"] },
  meaning: "Create a merchant with its test keys. Only this response contains the secret key.",
  input: z.object({ name: Name, rate_limits: RateLimits.partial().optional() }),
  output: z.object({ merchant_id: Id, name: z.string(), keys: z.object({ sk_test: z.string(), pk_test: z.string() }) }),
});

export const registerMerchant = request({
  subject: "gateway.merchant.register",
  callers: ["dashboard"],
  meaning: "Create a merchant without keys, under an id that the caller chose; a repeat changes nothing.",
  input: z.object({ merchant_id: z.string().regex(/^mer_[0-9A-Za-z]{16,40}$/), name: Name }),
  output: z.object({ merchant_id: Id, name: z.string() }),
});

export const readMerchants = request({
  subject: "gateway.merchants.read",
  callers: ["dashboard"],
  meaning: "Merchants' names, and when each was verified; unknown ones are omitted.",
  input: z.object({ merchant_ids: z.array(Id).max(100) }),
  output: z.object({
    merchants: z.array(z.object({ merchant_id: Id, name: z.string(), verified_at: Instant.nullable() })),
  }),
});

export const makeKeys = request({
  subject: "gateway.keys.make",
  callers: ["dashboard"],
  sealed: "orders",
  meaning:
    "Create the first keys of a mode, if there are none; only this response contains the secret key. Live keys are refused to a merchant that is not verified, or suspended.",
  input: z.object({ merchant_id: Id, mode: Mode }),
  output: z.object({ made: z.object({ secret: z.string(), public: z.string() }).nullable() }),
});

export const verifyMerchant = request({
  subject: "gateway.merchant.verify",
  callers: ["operator"],
  operator: { action: "merchant.verified", detail: ["despite_name"], fourEyes: true },
  meaning:
    "Record that the business is verified and create its live keys, once. A name that imitates another's is refused with conflict unless it is meant.",
  input: z.object({ merchant_id: Id, despite_name: z.boolean().default(false) }),
  output: z.object({ merchant_id: Id, name: z.string(), keys: z.object({ sk_live: z.string(), pk_live: z.string() }) }),
});

export const showMerchant = request({
  subject: "gateway.merchant.show",
  callers: ["dashboard", "operator"],
  operator: "read",
  operatorPages: true,
  meaning: "A merchant with its limits and its masked keys.",
  input: z.object({ merchant_id: Id }),
  output: z.object({
    merchant_id: Id,
    name: z.string(),
    verified_at: Instant.nullable(),
    suspension: Suspension.nullable(),
    rate_limits: RateLimits,
    keys: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(["secret", "public", "restricted"]),
        mode: Mode,
        prefix: z.string(),
        last_four: z.string(),
        /** A public key in full; null for a secret one. */
        public_key: z.string().nullable(),
        /** With a resolution of one minute. */
        last_used_at: Instant.nullable(),
        created_at: Instant,
        expires_at: Instant.nullable(),
        /** Of a restricted key: its name, what it can do, and the networks that it can be used from, if not from anywhere. */
        name: z.string().nullable(),
        scopes: z.array(KeyScope),
        addresses: z.array(z.string()),
        /** Who made it, and so saw it; null for a key that is older than this record. */
        made_by: Actor.nullable(),
      }),
    ),
    created_at: Instant,
  }),
});

export const rollKey = request({
  subject: "gateway.key.roll",
  callers: ["dashboard", "operator"],
  operator: { action: "key.rolled", detail: ["kind", "overlap_hours"], fourEyes: true },
  sealed: "orders",
  meaning: "Create a new key of a kind and mode; the old one remains valid for the overlap.",
  input: z.object({ merchant_id: Id, mode: Mode, kind: KeyKind, overlap_hours: z.number().min(0).max(72) }),
  output: z.object({ key: z.string(), old_keys_expire_at: Instant }),
});

export const checkPublicKey = request({
  subject: "gateway.public_key.check",
  callers: ["checkout"],
  meaning: "The merchant and mode of a public key; anything else is refused with invalid_api_key.",
  input: z.object({ key: z.string().max(100) }),
  output: z.object({ merchant: Merchant }),
});
