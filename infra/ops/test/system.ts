import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createLogger } from "@collect/runtime";
import { COMPILE_CACHE, endChild, freePort, startChild, untilReady } from "@collect/servers";
import { busEnvironment, freshDatabase, OPERATORS, opsAs, type Run, SEEDS, startBroker } from "@collect/testing";
import { expect } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const PROCESS = { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE };

export type System = {
  natsUrl: string;
  baseUrl: string;
  bankDoor: { url: string; secret: string };
  stop(): Promise<void>;
};

export type ServiceName = "gateway" | "accounts" | "ledger" | "payments" | "webhooks" | "checkout" | "statements";

type Given = { store: string; natsUrl: string; environment: Record<string, string> };

/** The services that the command line sends requests to, each as its own process. */
export async function startSystem(names: ServiceName[]): Promise<System> {
  const store = await mkdtemp(join(tmpdir(), "collect-nats-"));
  const nats = await startBroker({ directory: store, port: 0, log: createLogger("ops", "silent") });
  const [gatewayPort, doorPort, checkoutPort] = [await freePort(), await freePort(), await freePort()];
  const bank = {
    BANK_URL: "http://127.0.0.1:9",
    BANK_API_SECRET: "a secret of the bank's API",
    BANK_CODE: "058",
    BANK_NAME: "Partner Bank",
  };
  const door = {
    BANK_DOOR_PORT: String(doorPort),
    BANK_DOOR_SECRET: "a secret of the bank door",
    INTAKE_KEY: "a key from which intake ids derive",
  };
  const environments: Record<ServiceName, Record<string, string>> = {
    gateway: { PORT: String(gatewayPort), OPERATORS },
    accounts: { ...bank, ...door },
    ledger: {},
    payments: {
      ...bank,
      CHECKOUT_URL: "http://127.0.0.1:4100",
      TRANSFER_KEY: "a key from which transfer ids derive",
    },
    webhooks: { ALLOW_PRIVATE_URLS: "true", KEYRING: `k1:${Buffer.alloc(32, "key").toString("base64")}` },
    checkout: { PORT: String(checkoutPort) },
    statements: {},
  };
  const services = await Promise.all(
    names.map((name) => startService(name, { store, natsUrl: nats.url, environment: environments[name] })),
  );
  return {
    natsUrl: nats.url,
    baseUrl: `http://127.0.0.1:${gatewayPort}/v1`,
    bankDoor: { url: `http://127.0.0.1:${doorPort}`, secret: door.BANK_DOOR_SECRET },
    async stop() {
      await Promise.all(services.map((stop) => stop()));
      await nats.stop();
      await rm(store, { recursive: true, force: true });
    },
  };
}

async function startService(service: ServiceName, { store, natsUrl, environment }: Given) {
  const directory = join(ROOT, "services", service);
  const database = await freshDatabase({ service, directory: join(directory, "prisma") });
  const child = await startChild({
    command: process.execPath,
    args: [join(directory, "src/main.ts")],
    env: { ...PROCESS, DATABASE_URL: database.service, ...busEnvironment(natsUrl, service), ...environment },
    logFile: join(store, `${service}.log`),
    stopSignal: "SIGKILL",
  });
  await untilReady(service, child, async () => child.output().includes('"event":"ready"'));
  return async () => {
    await endChild(child, "SIGTERM", "SIGKILL");
    await database.drop();
  };
}

/** The command line as the operator of the tests runs it. */
export const ops = (natsUrl: string, ...args: string[]): Promise<Run> => opsAs(SEEDS.operator, natsUrl, ...args);

/** The command line against the system of a test file, which starts after this. */
export function commandsOf(system: () => System) {
  const run = (...args: string[]) => ops(system().natsUrl, ...args);
  return {
    run,
    /** What a command that succeeds prints for programs. */
    async json(...args: string[]) {
      const { code, stdout, stderr } = await run(...args, "--json");
      expect([code, stderr]).toEqual([0, ""]);
      return JSON.parse(stdout);
    },
  };
}

/** Without what follows the first line. */
export const refusalOf = ({ code, stdout, stderr }: Run) => ({ code, stdout, stderr: stderr.split("\n")[0] });
