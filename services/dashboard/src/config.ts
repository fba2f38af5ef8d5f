import { loadConfig, Port } from "@collect/runtime";
import { z } from "zod";

const Origin = z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin);

export const Config = z.object({
  DATABASE_URL: z.string().min(1),
  NATS_URL: z.string().min(1),
  HOST: z.string().default("127.0.0.1"),
  PORT: Port.default(4200),
  /** Where people reach the dashboard. Over https its cookies are for https only. */
  APP_URL: Origin,
  /** Signs cookies and encrypts the secrets of two-factor sign-in. Changed, everybody signs in again and sets those up anew. */
  AUTH_SECRET: z.string().min(32, "must be at least 32 characters"),
  /** The merchant API and the checkout, as pages show them to developers. */
  API_URL: z.url().default("http://localhost:4000/v1"),
  CHECKOUT_URL: z.url().default("http://localhost:4100"),
  /** Proxies in front that say in X-Forwarded-For who called them. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  LOG_LEVEL: z.string().default("info"),
});
export type Config = z.infer<typeof Config>;

export const readConfig = () => loadConfig(Config, process.env);
