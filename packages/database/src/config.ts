import { loadConfig } from "@collect/runtime";
import { z } from "zod";

/** The database to migrate, as its owner. Directly: the job holds a lock of its session, which a pooler would give away. */
export const Config = z.object({ DATABASE_URL: z.string().min(1) });

export const readConfig = () => loadConfig(Config, process.env);
