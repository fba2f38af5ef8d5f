import { z } from "zod";

/** The settings of every process that has a database, to be spread into its own. */
export const DATABASE_SETTINGS = {
  DATABASE_URL: z.string().min(1),
  /** The same database through PgBouncer, for the pools that may share connections. */
  POOLER_URL: z.string().optional(),
  /** Multiplies the sizes of all pools of this process. */
  POOL_SCALE: z.coerce.number().min(0.5).max(10).default(1),
};
export type DatabaseSettings = z.output<z.ZodObject<typeof DATABASE_SETTINGS>>;
