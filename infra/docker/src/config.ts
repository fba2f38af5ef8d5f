import type { ServiceName } from "@collect/contracts";
import { loadConfig } from "@collect/runtime";
import { z } from "zod";

const Password = z.string().min(16);

export const Config = z.object({
  /** As a user with the rights to create databases and roles. */
  DATABASE_URL: z.string(),
  NATS_URL: z.string(),
  GATEWAY_PASSWORD: Password,
  ACCOUNTS_PASSWORD: Password,
  LEDGER_PASSWORD: Password,
  PAYMENTS_PASSWORD: Password,
  WEBHOOKS_PASSWORD: Password,
  CHECKOUT_PASSWORD: Password,
  DASHBOARD_PASSWORD: Password,
});
export type Config = z.output<typeof Config>;

export const readConfig = (): Config => loadConfig(Config, process.env);

/** The password of the role that a service runs as. */
export function passwordOf(config: Config, service: ServiceName): string {
  const passwords = {
    gateway: config.GATEWAY_PASSWORD,
    accounts: config.ACCOUNTS_PASSWORD,
    ledger: config.LEDGER_PASSWORD,
    payments: config.PAYMENTS_PASSWORD,
    webhooks: config.WEBHOOKS_PASSWORD,
    checkout: config.CHECKOUT_PASSWORD,
    dashboard: config.DASHBOARD_PASSWORD,
  } satisfies Record<ServiceName, string>;
  return passwords[service];
}
