import { z } from "zod";
import { Id, Instant, Mode, Name } from "../fields.ts";
import { request } from "../message.ts";
import { Merchant } from "./merchant.ts";

const hourly = z.int().min(1).max(1_000_000);
export const RateLimits = z.object({ accounts: hourly, reads: hourly });
const KeyKind = z.enum(["secret", "public"]);

export const createMerchant = request({
  subject: "gateway.merchant.create",
  callers: ["operator"],
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
  meaning:
    "Create the first keys of a mode, if there are none; only this response contains the secret key. Live keys for a merchant that is not verified: conflict.",
  input: z.object({ merchant_id: Id, mode: Mode }),
  output: z.object({ made: z.object({ secret: z.string(), public: z.string() }).nullable() }),
});

export const verifyMerchant = request({
  subject: "gateway.merchant.verify",
  callers: ["operator"],
  meaning: "Record that the business is verified and create its live keys, once.",
  input: z.object({ merchant_id: Id }),
  output: z.object({ merchant_id: Id, name: z.string(), keys: z.object({ sk_live: z.string(), pk_live: z.string() }) }),
});

export const showMerchant = request({
  subject: "gateway.merchant.show",
  callers: ["dashboard", "operator"],
  meaning: "A merchant with its limits and its masked keys.",
  input: z.object({ merchant_id: Id }),
  output: z.object({
    merchant_id: Id,
    name: z.string(),
    verified_at: Instant.nullable(),
    rate_limits: RateLimits,
    keys: z.array(
      z.object({
        kind: KeyKind,
        mode: Mode,
        prefix: z.string(),
        last_four: z.string(),
        /** A public key in full; null for a secret one. */
        public_key: z.string().nullable(),
        /** With a resolution of one minute. */
        last_used_at: Instant.nullable(),
        created_at: Instant,
        expires_at: Instant.nullable(),
      }),
    ),
    created_at: Instant,
  }),
});

export const rollKey = request({
  subject: "gateway.key.roll",
  callers: ["dashboard", "operator"],
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
