import { BANK_CODE_PATTERN, TEST_BANK } from "@collect/bank";
import { Port } from "@collect/runtime";
import { z } from "zod";

/** A secret short enough to guess is a mistake. */
const Secret = z.string().min(16);

export const Config = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: Port.default(4400),
  /** Who this bank says it is; our accounts service must be told the same. */
  BANK_CODE: z
    .string()
    .regex(BANK_CODE_PATTERN)
    .refine((code) => code !== TEST_BANK.code, "is the test bank's")
    .default("729"),
  BANK_NAME: z.string().default("Harbour Bank"),
  /** Signs the calls that come to this bank. */
  BANK_API_SECRET: Secret,
  /** Where this bank reports transfers (`/bank/transfers` follows), and what it signs them with. */
  BANK_DOOR_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/$/, "")),
  BANK_DOOR_SECRET: Secret,
  /** Where accounts and payouts are kept. Without it a restart forgets their names, but not their numbers. */
  DATA_DIR: z.string().optional(),
});
