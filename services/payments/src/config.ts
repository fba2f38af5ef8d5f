import { arePartnersComplete, PARTNER_SETTINGS } from "@collect/bank";
import { AccountNumber } from "@collect/contracts";
import { DATABASE_SETTINGS, loadConfig, MacKeys, PROCESS_SETTINGS, PUBLISHER_SETTINGS } from "@collect/runtime";
import { z } from "zod";
import { AMOUNT_MAX } from "./inbound/domain/session.ts";
import { TRANSFER_TIMES } from "./outbound/domain/transfer-times.ts";

const Seconds = z.coerce
  .number()
  .int()
  .min(1)
  .max(30 * 86_400);

const Settings = z.object({
  ...DATABASE_SETTINGS,
  ...PUBLISHER_SETTINGS,
  ...PROCESS_SETTINGS,
  /** The key that proves payments and the ledger to each other when a payout is reserved or booked: `id:key[,id:key]`. */
  PAYOUT_KEY: MacKeys,
  /** The key that proves orders of payouts and keys among the gateway, the dashboard, payments and the ledger: `id:key[,id:key]`. */
  ORDER_KEY: MacKeys,
  LOG_LEVEL: z.string().default("info"),
  /** The checkout's base URL, without a path; payers are sent there. */
  CHECKOUT_URL: z.url(),
  /** How long a session is open, and how much longer, once, when the payer reports that the money is sent. */
  SESSION_EXPIRY_S: Seconds.default(1_800),
  SENT_EXTENSION_S: Seconds.default(1_800),
  /**
   * How long after its end a session still receives late transfers: on a collection account, and on a customer's own.
   */
  WATCH_COLLECTION_S: Seconds.default(7_200),
  WATCH_CUSTOMER_S: Seconds.default(86_400),
  /**
   * The same for sessions of public keys and links, on a collection account: shorter, because anyone can create them.
   * Later money is credited without a session.
   */
  WATCH_PUBLIC_S: Seconds.default(1_800),
  /**
   * How far the partner bank's `paid_at` may lie before the true time, and how long an amount stays unused after its
   * session's watch window. The pause must be longer than the tolerance: a transfer that was paid during the first
   * session then never matches the next one, however late the bank reports it.
   */
  PAID_AT_TOLERANCE_S: z.coerce.number().int().min(0).max(3_600).default(120),
  SLOT_PAUSE_S: Seconds.default(600),
  /**
   * The largest amount of one payment, for merchants without a limit of their own. Naira in the environment, kobo
   * inside.
   */
  AMOUNT_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .max(Number(AMOUNT_MAX / 100n))
    .default(5_000_000)
    .transform((naira) => BigInt(naira) * 100n),
  /**
   * The most collection accounts per merchant and mode, and the most to which sessions from public keys and links,
   * which anyone can use, may grow the pool. Each account has 99 slots per price.
   */
  COLLECTION_ACCOUNTS_MAX: z.coerce.number().int().min(1).max(10_000).default(1_000),
  PUBLIC_COLLECTION_ACCOUNTS_MAX: z.coerce.number().int().min(1).max(10_000).default(10),
  ...PARTNER_SETTINGS,
  /** Providus' transfer service, which ends in `/postingrest`, its credentials, and the account that is debited. */
  PROVIDUS_PAYOUTS_URL: z.url().optional(),
  PROVIDUS_PAYOUTS_USER: z.string().min(1).optional(),
  PROVIDUS_PAYOUTS_SECRET: z.string().min(1).optional(),
  PROVIDUS_SOURCE_ACCOUNT_NUMBER: AccountNumber.optional(),
  PROVIDUS_SOURCE_ACCOUNT_NAME: z.string().min(1).optional(),
  /** The wallet at Monnify that is debited. */
  MONNIFY_SOURCE_ACCOUNT_NUMBER: AccountNumber.optional(),
  /**
   * The key from which transfer ids are derived. It must never change: otherwise an order that is repeated to a
   * restored database would become another transfer, and be paid twice.
   */
  TRANSFER_KEY: z.string().min(32),
  /**
   * A sent transfer that the bank does not know after this many seconds has failed. In production no call can be in progress by then: it is
   * longer than a lease and the time-out of the bank together.
   */
  TRANSFER_UNKNOWN_AFTER_S: z.coerce.number().int().min(1).max(86_400).default(600),
  /** How many days it is kept who looked up which account's holder. */
  ENQUIRY_LOG_DAYS: z.coerce.number().int().min(1).max(3_650).default(365),
  /** How many days the name and email of a payer are kept who paid nothing. */
  UNPAID_PAYER_DAYS: z.coerce.number().int().min(2).max(3_650).default(90),
  /** How often the self-audit runs. */
  AUDIT_EVERY_MS: z.coerce.number().int().min(100).max(60_000).default(5_000),
});

/** The settings of each partner that pays out. */
export const PARTNERS = {
  local: ["BANK_URL", "BANK_API_SECRET", "BANK_CODE", "BANK_NAME"],
  providus: [
    "PROVIDUS_PAYOUTS_URL",
    "PROVIDUS_PAYOUTS_USER",
    "PROVIDUS_PAYOUTS_SECRET",
    "PROVIDUS_SOURCE_ACCOUNT_NUMBER",
    "PROVIDUS_SOURCE_ACCOUNT_NAME",
  ],
  monnify: ["MONNIFY_URL", "MONNIFY_API_KEY", "MONNIFY_SECRET_KEY", "MONNIFY_SOURCE_ACCOUNT_NUMBER"],
} as const;

export const Config = Settings.refine(
  ({ PAID_AT_TOLERANCE_S, SLOT_PAUSE_S }) => SLOT_PAUSE_S > PAID_AT_TOLERANCE_S,
  "SLOT_PAUSE_S must be longer than PAID_AT_TOLERANCE_S",
)
  .refine(
    ({ TRANSFER_UNKNOWN_AFTER_S, BANK_TIMEOUT_MS }) =>
      process.env.NODE_ENV !== "production" ||
      TRANSFER_UNKNOWN_AFTER_S * 1_000 > TRANSFER_TIMES.leaseMs + BANK_TIMEOUT_MS,
    "TRANSFER_UNKNOWN_AFTER_S must be longer than a call can take: a minute and BANK_TIMEOUT_MS",
  )
  .superRefine(arePartnersComplete(PARTNERS));
export type Config = z.infer<typeof Config>;

export const readConfig = (): Config => loadConfig(Config, process.env);
