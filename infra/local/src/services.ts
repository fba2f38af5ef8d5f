import { existsSync } from "node:fs";
import { join } from "node:path";
import { SERVICES, type ServiceName } from "@collect/contracts";
import { migrate, provision } from "@collect/database";
import type { Secrets } from "./secrets.ts";
import { ROOT, type Settings } from "./settings.ts";
import { type Component, startService } from "./supervise.ts";

/** Creates and migrates one database for each service that has a schema. Returns the URL that each service connects with. */
export async function prepareDatabases(admin: string): Promise<Map<ServiceName, string>> {
  const addresses = new Map<ServiceName, string>();
  for (const service of SERVICES) {
    const directory = join(ROOT, "services", service, "prisma");
    if (!existsSync(directory)) continue;
    const database = await provision(admin, service);
    await migrate({ url: database.owner, directory });
    addresses.set(service, database.service);
  }
  return addresses;
}

/** Every service and the bank simulator, each as a separate process with its environment. */
export function serviceComponents(options: {
  settings: Settings;
  secrets: Secrets;
  natsUrl: string;
  databases: Map<ServiceName, string>;
}): Component[] {
  const { settings, secrets } = options;
  const bank = {
    BANK_API_SECRET: secrets.bank_api_secret,
    BANK_DOOR_SECRET: secrets.bank_door_secret,
    BANK_CODE: "729",
    BANK_NAME: "Harbour Bank",
  };
  const bankUrl = `http://127.0.0.1:${settings.BANK_SIMULATOR_PORT}`;
  const own: Record<ServiceName, Record<string, string>> = {
    gateway: { HOST: settings.HOST, PORT: String(settings.GATEWAY_PORT) },
    accounts: {
      ...bank,
      HOST: settings.HOST,
      BANK_DOOR_PORT: String(settings.BANK_DOOR_PORT),
      BANK_URL: bankUrl,
      INTAKE_KEY: secrets.intake_key,
    },
    ledger: {},
    payments: {
      BANK_API_SECRET: bank.BANK_API_SECRET,
      BANK_CODE: bank.BANK_CODE,
      BANK_NAME: bank.BANK_NAME,
      BANK_URL: bankUrl,
      CHECKOUT_URL: `http://localhost:${settings.CHECKOUT_PORT}`,
      TRANSFER_KEY: secrets.transfer_key,
    },
    webhooks: { ALLOW_PRIVATE_URLS: "true" },
    checkout: { HOST: settings.HOST, PORT: String(settings.CHECKOUT_PORT) },
    dashboard: {
      HOST: settings.HOST,
      PORT: String(settings.DASHBOARD_PORT),
      APP_URL: `http://localhost:${settings.DASHBOARD_PORT}`,
      API_URL: `http://localhost:${settings.GATEWAY_PORT}/v1`,
      CHECKOUT_URL: `http://localhost:${settings.CHECKOUT_PORT}`,
      AUTH_SECRET: secrets.auth_secret,
    },
  };
  const simulator = {
    ...bank,
    HOST: settings.HOST,
    PORT: String(settings.BANK_SIMULATOR_PORT),
    DATA_DIR: join(settings.LOCAL_DIRECTORY, "bank"),
    BANK_DOOR_URL: `http://127.0.0.1:${settings.BANK_DOOR_PORT}`,
  };
  const component = (name: string, folder: string, env: Record<string, string>): Component => {
    const logFile = join(settings.LOCAL_DIRECTORY, "logs", `${name}.log`);
    const common = {
      LOG_LEVEL: settings.LOG_LEVEL,
      NODE_COMPILE_CACHE: join(settings.LOCAL_DIRECTORY, "compile-cache"),
      // Nine processes share one machine: a small young generation returns memory sooner after a burst.
      NODE_OPTIONS: "--max-semi-space-size=1",
    };
    const main = join(ROOT, folder, "src/main.ts");
    return { name, logFile, start: () => startService({ name, main, env: { ...common, ...env }, logFile }) };
  };
  return [
    component("bank-simulator", "infra/bank-simulator", simulator),
    ...SERVICES.map((service) =>
      component(service, `services/${service}`, {
        ...own[service],
        DATABASE_URL: options.databases.get(service) ?? "",
        NATS_URL: options.natsUrl,
      }),
    ),
  ];
}
