import { existsSync } from "node:fs";
import { join } from "node:path";
import { publicKeyOf } from "@collect/bus";
import { SERVICES, type ServiceName } from "@collect/contracts";
import { addressOf, closeLogin, databaseOf, loginOf, migrate, openLogin, provision } from "@collect/database";
import { OWN_BANK, partnerEnvironments } from "./partners.ts";
import type { Secrets } from "./secrets.ts";
import { internalPortOf, type ProcessName, ROOT, type Settings } from "./settings.ts";
import { type Component, startService } from "./supervise.ts";

/** Creates and migrates one database for each service that has a schema. Returns the URL that each service connects with. */
export async function prepareDatabases(admin: string, password: string): Promise<Map<ServiceName, string>> {
  const addresses = new Map<ServiceName, string>();
  for (const service of SERVICES) {
    const directory = join(ROOT, "services", service, "prisma");
    if (!existsSync(directory)) continue;
    const [database, login] = [databaseOf(service), { role: loginOf(service, "a"), password }];
    const { owner } = await provision(admin, service);
    await openLogin(admin, service, login);
    // Former releases logged in as it, with a password that could be derived.
    await closeLogin(admin, database);
    await migrate({ url: owner, directory });
    addresses.set(service, addressOf(admin, database, login));
  }
  return addresses;
}

type Options = {
  settings: Settings;
  secrets: Secrets;
  natsUrl: string;
  databases: Map<ServiceName, string>;
};

/** Every service, the operators' pages and the bank simulator, each as a separate process with its environment and the flags of this one. */
export function serviceComponents({ settings, secrets, natsUrl, databases }: Options): Component[] {
  const component = (name: ProcessName, env: Record<string, string>): Component => {
    const logFile = join(settings.LOCAL_DIRECTORY, "logs", `${name}.log`);
    const internalPort = internalPortOf(name, settings);
    const common = {
      LOG_LEVEL: settings.LOG_LEVEL,
      INTERNAL_PORT: String(internalPort),
    };
    const livez = settings.RESTART_HUNG ? `http://127.0.0.1:${internalPort}/livez` : undefined;
    const options = { name, main: mainOf(name), flags: process.execArgv, env: { ...common, ...env }, logFile, livez };
    return { name, logFile, start: () => startService(options) };
  };
  const own = environments(settings, secrets);
  return [
    component("bank-simulator", own["bank-simulator"]),
    ...SERVICES.map((service) =>
      component(service, {
        ...own[service],
        DATABASE_URL: databases.get(service) ?? "",
        NATS_URL: natsUrl,
        NATS_NKEY_SEED: secrets.nkey_seeds[service],
      }),
    ),
    component("operators", {
      ...own.operators,
      NATS_URL: natsUrl,
      NATS_NKEY_SEED: secrets.nkey_seeds.operators,
    }),
  ];
}

/** What Node runs. */
export function mainOf(process: ProcessName): string {
  if (process === "bank-simulator") return join(ROOT, "infra/bank-simulator/src/main.ts");
  if (process === "operators") return join(ROOT, "services/dashboard/src/operators.ts");
  return join(ROOT, "services", process, "src/main.ts");
}

/** What each process needs besides its database and the bus. */
function environments(settings: Settings, secrets: Secrets): Record<ProcessName, Record<string, string>> {
  const { HOST } = settings;
  const local = (port: number) => `http://localhost:${port}`;
  const docsUrl = `${local(settings.GATEWAY_PORT)}/docs`;
  const partners = partnerEnvironments(settings, secrets);
  return {
    gateway: {
      HOST,
      PORT: String(settings.GATEWAY_PORT),
      API_URL: `${local(settings.GATEWAY_PORT)}/v1`,
      DOCS_URL: docsUrl,
      BANK_NAME: OWN_BANK.BANK_NAME,
      ORDER_KEY: secrets.order_key,
      OPERATORS: `local:${publicKeyOf(secrets.nkey_seeds.operator)}`,
    },
    accounts: {
      ...{ ...partners.accounts, HOST },
      BANK_DOOR_PORT: String(settings.BANK_DOOR_PORT),
      INTAKE_KEY: secrets.intake_key,
      FACT_KEY: secrets.fact_key,
    },
    ledger: { FACT_KEY: secrets.fact_key, PAYOUT_KEY: secrets.payout_key, ORDER_KEY: secrets.order_key },
    payments: {
      ...partners.payments,
      CHECKOUT_URL: local(settings.CHECKOUT_PORT),
      TRANSFER_KEY: secrets.transfer_key,
      PAYOUT_KEY: secrets.payout_key,
      ORDER_KEY: secrets.order_key,
    },
    webhooks: { ALLOW_PRIVATE_URLS: "true", KEYRING: secrets.webhooks_keyring },
    checkout: { HOST, PORT: String(settings.CHECKOUT_PORT), DOCS_URL: docsUrl },
    dashboard: {
      HOST,
      PORT: String(settings.DASHBOARD_PORT),
      APP_URL: local(settings.DASHBOARD_PORT),
      TEST_RECEIVER_URL: local(settings.DASHBOARD_PORT),
      API_URL: `${local(settings.GATEWAY_PORT)}/v1`,
      CHECKOUT_URL: local(settings.CHECKOUT_PORT),
      AUTH_SECRET: secrets.auth_secret,
      ORDER_KEY: secrets.order_key,
      SMTP_URL: `smtp://127.0.0.1:${settings.MAILBOX_SMTP_PORT}`,
      // So that live mode can be looked at within minutes; in production it is required.
      LIVE_SECOND_FACTOR: "optional",
      KEYRING: secrets.dashboard_keyring,
    },
    statements: {},
    operators: { HOST, PORT: String(settings.OPERATORS_PORT), APP_URL: local(settings.OPERATORS_PORT) },
    "bank-simulator": {
      ...{ ...partners["bank-simulator"], HOST },
      PORT: String(settings.BANK_SIMULATOR_PORT),
      DATA_DIR: join(settings.LOCAL_DIRECTORY, "bank"),
      BANK_DOOR_URL: `http://127.0.0.1:${settings.BANK_DOOR_PORT}`,
    },
  };
}
