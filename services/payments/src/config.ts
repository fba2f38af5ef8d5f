import { BANK_CODE_PATTERN } from "@collect/bank";
import { loadConfig } from "@collect/runtime";
import { z } from "zod";
import { AMOUNT_MAX } from "./inbound/domain/session.ts";

const Seconds = z.coerce
  .number()
  .int()
  .min(1)
  .max(30 * 86_400);

const Settings = z.object({
  DATABASE_URL: z.string(),
  NATS_URL: z.string(),
  LOG_LEVEL: z.string().default("info"),
  /** Where payers are sent: the checkout's address, without a path. */
  CHECKOUT_URL: z.url(),
  /** How long a payment waits for its money, and how much longer, once, when the payer says that it is sent. */
  SESSION_EXPIRY_S: Seconds.default(1_800),
  SENT_EXTENSION_S: Seconds.default(1_800),
  /** How long after its end late money is still known as its own: on a collection account, on a customer's own. */
  WATCH_COLLECTION_S: Seconds.default(7_200),
  WATCH_CUSTOMER_S: Seconds.default(86_400),
  /**
   * How far before the truth the partner bank's `paid_at` may lie, and how long an amount rests between two sessions once the
   * first is watched no more. The pause is the longer of the two: money that was paid in the time of the first then never
   * reaches the second, however late the bank reports it.
   */
  PAID_AT_TOLERANCE_S: z.coerce.number().int().min(0).max(3_600).default(120),
  SLOT_PAUSE_S: Seconds.default(600),
  /** The largest amount one payment may ask for, where a merchant has no other. Naira outside, kobo inside. */
  AMOUNT_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .max(Number(AMOUNT_MAX / 100n))
    .default(5_000_000)
    .transform((naira) => BigInt(naira) * 100n),
  /**
   * So many collection accounts a merchant and mode may have, and up to how many a public key, which anybody can use, may have
   * another made: each holds 99 sessions of one price at a time.
   */
  COLLECTION_ACCOUNTS_MAX: z.coerce.number().int().min(1).max(10_000).default(1_000),
  PUBLIC_COLLECTION_ACCOUNTS_MAX: z.coerce.number().int().min(1).max(10_000).default(10),
  /** The partner bank's interface, through which live transfers go, and the secret with which we sign calls to it. */
  BANK_URL: z.url(),
  BANK_API_SECRET: z.string().min(16),
  BANK_CODE: z.string().regex(BANK_CODE_PATTERN),
  BANK_NAME: z.string().min(1),
  BANK_TIMEOUT_MS: z.coerce.number().int().min(100).max(10_000).default(8_000),
  /**
   * Key from which the ids of transfers are derived. It must never change: an order that comes again to a restored database
   * would be another transfer, and be paid twice.
   */
  TRANSFER_KEY: z.string().min(32),
  /** A transfer that was sent, and of which the bank has not heard after so many seconds, has failed. */
  TRANSFER_UNKNOWN_AFTER_S: z.coerce.number().int().min(1).max(86_400).default(600),
  /** How often the self-audit goes on. */
  AUDIT_EVERY_MS: z.coerce.number().int().min(100).max(60_000).default(5_000),
});
export const Config = Settings.refine(
  ({ PAID_AT_TOLERANCE_S, SLOT_PAUSE_S }) => SLOT_PAUSE_S > PAID_AT_TOLERANCE_S,
  "SLOT_PAUSE_S must be longer than PAID_AT_TOLERANCE_S",
);
export type Config = z.infer<typeof Config>;

export const readConfig = (): Config => loadConfig(Config, process.env);
