import type { ServiceName } from "@collect/contracts";
import { type Login, loginOf } from "@collect/database";
import { BUS_SETTINGS, loadConfig } from "@collect/runtime";
import { z } from "zod";

const Password = z.string().min(16);
/** Which of its two logins the service uses: the other one is given the next password. */
const LoginName = z.enum(["a", "b"]).default("a");

export const Config = z.object({
  /** As a user with the rights to create databases and roles. */
  DATABASE_URL: z.string(),
  ...BUS_SETTINGS,
  GATEWAY_PASSWORD: Password,
  GATEWAY_LOGIN: LoginName,
  ACCOUNTS_PASSWORD: Password,
  ACCOUNTS_LOGIN: LoginName,
  LEDGER_PASSWORD: Password,
  LEDGER_LOGIN: LoginName,
  PAYMENTS_PASSWORD: Password,
  PAYMENTS_LOGIN: LoginName,
  WEBHOOKS_PASSWORD: Password,
  WEBHOOKS_LOGIN: LoginName,
  CHECKOUT_PASSWORD: Password,
  CHECKOUT_LOGIN: LoginName,
  DASHBOARD_PASSWORD: Password,
  DASHBOARD_LOGIN: LoginName,
});
export type Config = z.output<typeof Config>;

export const readConfig = (): Config => loadConfig(Config, process.env);

/** The login that a service connects to its database with. */
export function loginFor(config: Config, service: ServiceName): Login {
  const names = {
    gateway: "GATEWAY",
    accounts: "ACCOUNTS",
    ledger: "LEDGER",
    payments: "PAYMENTS",
    webhooks: "WEBHOOKS",
    checkout: "CHECKOUT",
    dashboard: "DASHBOARD",
  } as const satisfies Record<ServiceName, string>;
  const name = names[service];
  return { role: loginOf(service, config[`${name}_LOGIN`]), password: config[`${name}_PASSWORD`] };
}
