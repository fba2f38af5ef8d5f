import { TrustedProxies } from "@collect/http";
import {
  BUS_SETTINGS,
  DATABASE_SETTINGS,
  KeyringKeys,
  loadConfig,
  MacKeys,
  Port,
  PROCESS_SETTINGS,
  SharedSecret,
} from "@collect/runtime";
import { z } from "zod";

const Origin = z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin);

export const Config = z.object({
  ...DATABASE_SETTINGS,
  ...BUS_SETTINGS,
  ...PROCESS_SETTINGS,
  /** The key that proves orders of payouts and keys among the gateway, the dashboard, payments and the ledger: `id:key[,id:key]`. */
  ORDER_KEY: MacKeys,
  HOST: z.string().default("127.0.0.1"),
  PORT: Port.default(4200),
  /** The dashboard's public URL. If it is https, cookies are Secure. */
  APP_URL: Origin,
  /** Signs cookies; `new,old` while it is rotated. */
  AUTH_SECRET: SharedSecret(32),
  /** The keys that encrypt second factors and test keys in the database: `k2:base64,k1:base64`. The first encrypts, every one decrypts. */
  KEYRING: KeyringKeys,
  /** False while replicas of a release run that cannot read what KEYRING encrypts: AUTH_SECRET then encrypts what is stored. */
  SEAL_SECRETS: z.stringbool().default(true),
  /** The public URLs of the merchant API and the checkout, which pages show to developers. */
  API_URL: z.url().default("http://localhost:4000/v1"),
  CHECKOUT_URL: z.url().default("http://localhost:4100"),
  /**
   * A URL of this service that webhooks can reach, where merchants without a server can have their test events sent. It has to
   * be public wherever webhooks refuses private addresses. Without it there is no test receiver.
   */
  TEST_RECEIVER_URL: Origin.optional(),
  /** The proxies in front: how many, or the networks that they are in. */
  TRUSTED_PROXIES: TrustedProxies,
  /** The mail server, such as smtps://user:password@smtp.example.com. Without it no mail is sent, and links are shown instead. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** The sender of mails, such as "Collect <no-reply@example.com>"; an address at APP_URL's host by default. */
  MAIL_FROM: z.string().min(3).max(254).optional(),
  /** A session ends after this time without use, and after this time altogether. */
  SESSION_IDLE_MIN: z.coerce
    .number()
    .int()
    .min(1)
    .default(12 * 60),
  SESSION_MAX_H: z.coerce
    .number()
    .int()
    .min(1)
    .default(7 * 24),
  /** Whether owners and finance members need a second factor to enter live mode. */
  LIVE_SECOND_FACTOR: z.enum(["required", "optional"]).default("required"),
  LOG_LEVEL: z.string().default("info"),
});
export type Config = z.infer<typeof Config>;

export const readConfig = () => loadConfig(Config, process.env);

/** The process of the operators' pages: no database, and no secret but its key for the broker. */
export const OperatorsConfig = z.object({
  ...BUS_SETTINGS,
  ...PROCESS_SETTINGS,
  HOST: z.string().default("127.0.0.1"),
  PORT: Port.default(4210),
  /** Their public URL, which is not the merchants' dashboard's. If it is https, the cookie is Secure. */
  APP_URL: Origin,
  TRUSTED_PROXIES: TrustedProxies,
  LOG_LEVEL: z.string().default("info"),
});
export type OperatorsConfig = z.infer<typeof OperatorsConfig>;

export const readOperatorsConfig = () => loadConfig(OperatorsConfig, process.env);
