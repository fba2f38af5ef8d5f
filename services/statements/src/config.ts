import { BUS_SETTINGS, DATABASE_SETTINGS, loadConfig, PROCESS_SETTINGS } from "@collect/runtime";
import { z } from "zod";

export const Config = z.object({
  ...DATABASE_SETTINGS,
  ...BUS_SETTINGS,
  ...PROCESS_SETTINGS,
  /** Whether charges and own funds of closed days are booked: not before the release with this setting runs everywhere, and stays. */
  BOOK_CHARGES: z.stringbool().default(true),
  LOG_LEVEL: z.string().default("info"),
});
export type Config = z.infer<typeof Config>;

export const readConfig = (): Config => loadConfig(Config, process.env);
