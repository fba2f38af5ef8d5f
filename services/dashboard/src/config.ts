import { loadConfig, Port } from "@collect/runtime";
import { z } from "zod";

const Origin = z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin);

export const Config = z.object({
  DATABASE_URL: z.string().min(1),
  NATS_URL: z.string().min(1),
  HOST: z.string().default("127.0.0.1"),
  PORT: Port.default(4200),
  /** The dashboard's public URL. If it is https, cookies are Secure. */
  APP_URL: Origin,
  /** Signs cookies and encrypts two-factor secrets. After a change all users must sign in and set up two-factor authentication again. */
  AUTH_SECRET: z.string().min(32, "must be at least 32 characters"),
  /** The public URLs of the merchant API and the checkout, which pages show to developers. */
  API_URL: z.url().default("http://localhost:4000/v1"),
  CHECKOUT_URL: z.url().default("http://localhost:4100"),
  /** The number of proxies in front that append their caller to X-Forwarded-For. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  LOG_LEVEL: z.string().default("info"),
});
export type Config = z.infer<typeof Config>;

export const readConfig = () => loadConfig(Config, process.env);
