import { BANK_CODE_PATTERN, TEST_BANK } from "@collect/bank";
import { AccountNumber } from "@collect/contracts";
import { Port, PROCESS_SETTINGS, SharedSecret } from "@collect/runtime";
import { z } from "zod";

/** Refuses secrets short enough to guess. */
const Secret = SharedSecret(16);

export const Config = z.object({
  ...PROCESS_SETTINGS,
  HOST: z.string().default("127.0.0.1"),
  PORT: Port.default(4400),
  /** The bank's code and name; configure the accounts service with the same values. */
  BANK_CODE: z
    .string()
    .regex(BANK_CODE_PATTERN)
    .refine((code) => code !== TEST_BANK.code, "is the test bank's")
    .default("729"),
  BANK_NAME: z.string().default("Harbour Bank"),
  /** The secrets that are accepted in the calls to this bank. */
  BANK_API_SECRET: Secret,
  /** Where this bank reports transfers (`/bank/transfers` is appended), and the secret it signs them with. */
  BANK_DOOR_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/$/, "")),
  BANK_DOOR_SECRET: Secret,
  /**
   * Where accounts and payouts are stored, and of each further bank in a folder of its own. Without it a restart loses
   * account names and payouts, but not the account numbers of our protocol.
   */
  DATA_DIR: z.string().optional(),
  /** The credentials of Providus and the account of its payouts, all or none: without them it is not simulated. */
  PROVIDUS_CLIENT_ID: z.string().optional(),
  PROVIDUS_CLIENT_SECRET: z.string().min(16).optional(),
  PROVIDUS_PAYOUTS_USER: z.string().optional(),
  PROVIDUS_PAYOUTS_SECRET: z.string().min(16).optional(),
  PROVIDUS_SOURCE_ACCOUNT_NUMBER: AccountNumber.optional(),
  /** The credentials of Monnify, the contract and the wallet of its payouts, all or none: without them it is not simulated. */
  MONNIFY_API_KEY: z.string().optional(),
  MONNIFY_SECRET_KEY: z.string().min(16).optional(),
  MONNIFY_CONTRACT_CODE: z.string().optional(),
  MONNIFY_SOURCE_ACCOUNT_NUMBER: AccountNumber.optional(),
});
export type Config = z.infer<typeof Config>;
