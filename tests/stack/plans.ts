import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SERVICES, type ServiceName } from "@collect/contracts";
import { addressOf, databaseOf, type Login, loginOf } from "@collect/database";
import { freePort } from "@collect/servers";
import { busEnvironment, OPERATORS } from "@collect/testing";
import { type Plan, type ProcessName, ROOT } from "./service.ts";

const PROCESSES: readonly ProcessName[] = [...SERVICES, "bank-simulator"];

/** The connection URL of a service's own database, with the service's own login. */
export function databaseUrl(postgresUrl: string, service: ServiceName): string {
  return addressOf(postgresUrl, databaseOf(service), stackLogin(service));
}

/** The login of a service in the servers of these tests, which are on loopback and deleted at the end. */
export const stackLogin = (service: string): Login => ({
  role: loginOf(service, "a"),
  password: "of the test stacks",
});

/** A key as the setting KEYRING has it. */
export const keyringKey = (id: string) => `${id}:${randomBytes(32).toString("base64")}`;

type Given = {
  postgresUrl: string;
  natsUrl: string;
  natsReplicas?: number;
  logLevel: string;
  /** The checkout that the services are from; this one by default. */
  tree?: string;
};

/** The environment of every process of one stack. Stacks share nothing. */
export async function planProcesses(given: Given) {
  const [gateway, checkout, bankDoor] = [await freePort(), await freePort(), await freePort()];
  const [dashboard, simulator] = [await freePort(), await freePort()];
  const secret = () => randomBytes(32).toString("hex");
  const bank = { BANK_API_SECRET: secret(), BANK_DOOR_SECRET: secret(), BANK_CODE: "729", BANK_NAME: "Harbour Bank" };
  const httpPort = { variable: "PORT", find: freePort };
  const own: Record<ProcessName, Pick<Plan, "env" | "port">> = {
    gateway: { env: { PORT: String(gateway), BANK_NAME: bank.BANK_NAME, OPERATORS }, port: httpPort },
    accounts: {
      env: {
        ...bank,
        BANK_DOOR_PORT: String(bankDoor),
        BANK_URL: `http://127.0.0.1:${simulator}`,
        INTAKE_KEY: secret(),
      },
      port: { variable: "BANK_DOOR_PORT", find: freePort },
    },
    ledger: { env: {} },
    payments: {
      env: {
        BANK_API_SECRET: bank.BANK_API_SECRET,
        BANK_CODE: bank.BANK_CODE,
        BANK_NAME: bank.BANK_NAME,
        BANK_URL: `http://127.0.0.1:${simulator}`,
        CHECKOUT_URL: `http://127.0.0.1:${checkout}`,
        TRANSFER_KEY: secret(),
      },
    },
    checkout: { env: { PORT: String(checkout) }, port: { variable: "PORT", find: freePort } },
    webhooks: { env: { ALLOW_PRIVATE_URLS: "true", KEYRING: keyringKey("k1") } },
    dashboard: {
      env: {
        PORT: String(dashboard),
        APP_URL: `http://127.0.0.1:${dashboard}`,
        TEST_RECEIVER_URL: `http://127.0.0.1:${dashboard}`,
        API_URL: `http://127.0.0.1:${gateway}/v1`,
        CHECKOUT_URL: `http://127.0.0.1:${checkout}`,
        AUTH_SECRET: secret(),
        KEYRING: keyringKey("k1"),
      },
      port: httpPort,
    },
    statements: { env: {} },
    "bank-simulator": {
      env: { ...bank, PORT: String(simulator), BANK_DOOR_URL: `http://127.0.0.1:${bankDoor}` },
      port: httpPort,
    },
  };
  const plan = (name: ProcessName): Plan => {
    const common = { HOST: "127.0.0.1", LOG_LEVEL: given.logLevel, LIVE_SECOND_FACTOR: "optional" };
    if (name === "bank-simulator")
      return { name, tree: ROOT, folder: "infra/bank-simulator", ...own[name], env: { ...common, ...own[name].env } };
    const broker = busEnvironment(given.natsUrl, name, { replicas: given.natsReplicas });
    const stores = { DATABASE_URL: databaseUrl(given.postgresUrl, name), ...broker };
    const env = { ...common, ...stores, ...own[name].env };
    return { name, tree: given.tree ?? ROOT, folder: `services/${name}`, ...own[name], env };
  };
  return { plans: processesOf(given.tree ?? ROOT).map(plan), bankDoorSecret: bank.BANK_DOOR_SECRET };
}

/** The last release may lack a service. */
const processesOf = (tree: string) =>
  PROCESSES.filter((name) => name === "bank-simulator" || existsSync(join(tree, "services", name)));
