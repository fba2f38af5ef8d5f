import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { connectBus, migrateBus } from "@collect/bus";
import { createLogger } from "@collect/runtime";
import { startNats, startPostgres } from "@collect/servers";
import { announce } from "./announce.ts";
import { demoMerchant } from "./demo-merchant.ts";
import { demoUser } from "./demo-user.ts";
import { Demo, readJson, writeJson } from "./files.ts";
import { makeHistory } from "./history.ts";
import { startReceiver } from "./receiver.ts";
import { describeStack, noteStack, refuseTakenPorts, runningStack } from "./running.ts";
import { loadSecrets } from "./secrets.ts";
import { prepareDatabases, serviceParts } from "./services.ts";
import { loadSettings, type Settings, shown } from "./settings.ts";
import { createStopping } from "./stopping.ts";
import { supervise } from "./supervise.ts";

/** Where work comes in. */
const ENTRANCES = ["gateway", "checkout", "dashboard", "bank-simulator"];

/** npm start: the whole product on this machine, until Ctrl-C. */

const stopping = createStopping();
try {
  await start(loadSettings());
} catch (error) {
  if (!stopping.begun()) console.error(`\n✗ ${error instanceof Error ? error.message : String(error)}`);
  await stopping.stop(1);
}

async function start(settings: Settings): Promise<void> {
  const directory = settings.LOCAL_DIRECTORY;
  const running = await runningStack(directory);
  if (running)
    throw new Error(
      `npm start already runs here (process ${running.pid}): stop it with Ctrl-C there, or with kill ${running.pid}`,
    );
  await refuseTakenPorts(settings);
  await mkdir(join(directory, "logs"), { recursive: true });

  const demoFile = join(directory, "demo.json");
  let demo = await readJson(demoFile, Demo);
  const stack = describeStack(settings);
  const receiver = await startReceiver({
    port: settings.RECEIVER_PORT,
    stack,
    secretOf: (mode) => demo?.webhook[mode].secret,
  });
  stopping.add("store", "receiver", receiver.stop);
  await noteStack(stack);

  const secrets = await loadSecrets(directory);
  console.log("• starting what the services need");
  const [databaseUrl, natsUrl] = await Promise.all([ensurePostgres(settings), ensureNats(settings)]);
  const databases = await step("databases, migrated", () => prepareDatabases(databaseUrl));
  await step("streams, migrated", () => migrateBus({ url: natsUrl, log: createLogger("local", "silent") }));
  console.log("• starting the services");
  await startServices(serviceParts({ settings, secrets, natsUrl, databases }));

  const bus = await connectBus({ url: natsUrl, name: "operator", log: createLogger("local", "silent") });
  const merchant = await step("demo merchant", () =>
    demoMerchant(bus, { directory, hooks: `${stack.receiver_url}/hooks` }),
  );
  const dashboardUrl = `http://localhost:${settings.DASHBOARD_PORT}`;
  const isSame = demo?.merchant.id === merchant.merchant.id;
  const user = await demoUser(bus, {
    dashboardUrl,
    merchantId: merchant.merchant.id,
    kept: isSame ? demo?.user : undefined,
  });
  demo = {
    base_url: `http://localhost:${settings.GATEWAY_PORT}/v1`,
    checkout_url: `http://localhost:${settings.CHECKOUT_PORT}`,
    dashboard_url: dashboardUrl,
    bank: { url: `http://localhost:${settings.BANK_DOOR_PORT}`, secret: secrets.bank_door_secret },
    ...merchant,
    user,
    history: (isSame && demo?.history) || { until: new Date().toISOString(), is_whole: !settings.DEMO_HISTORY },
  };
  await writeJson(demoFile, demo);
  if (!demo.history.is_whole) {
    const { history, bank } = demo;
    await step("weeks of demo history", () =>
      makeHistory({ bus, merchant: merchant.merchant, bankDoor: bank, until: new Date(history.until) }),
    );
    demo = { ...demo, history: { ...history, is_whole: true } };
    await writeJson(demoFile, demo);
  }
  await bus.nats.close();
  announce(demo, { stack, logs: shown(join(directory, "logs")), demoFile: shown(demoFile) });
}

async function startServices(parts: ReturnType<typeof serviceParts>): Promise<void> {
  await together(
    parts.map(async (part) => {
      const { stop } = await step(part.name, () => supervise(part));
      stopping.add(ENTRANCES.includes(part.name) ? "entrance" : "service", part.name, stop);
    }),
  );
}

async function ensurePostgres(settings: Settings): Promise<string> {
  if (settings.DATABASE_URL) return settings.DATABASE_URL;
  const logFile = join(settings.LOCAL_DIRECTORY, "logs/postgres.log");
  const options = { directory: join(settings.LOCAL_DIRECTORY, "postgres"), port: settings.POSTGRES_PORT, log: logFile };
  let url = "";
  const start = async () => {
    const server = await startPostgres(options);
    url = server.url;
    return server;
  };
  const part = await step(`PostgreSQL on port ${options.port}`, () =>
    supervise({ name: "PostgreSQL", logFile, start }),
  );
  stopping.add("store", "PostgreSQL", part.stop);
  return url;
}

async function ensureNats(settings: Settings): Promise<string> {
  if (settings.NATS_URL) return settings.NATS_URL;
  const logFile = join(settings.LOCAL_DIRECTORY, "logs/nats.log");
  const options = { directory: join(settings.LOCAL_DIRECTORY, "nats"), port: settings.NATS_PORT, log: logFile };
  const part = await step(`NATS on port ${options.port}`, () =>
    supervise({ name: "NATS", logFile, start: () => startNats(options) }),
  );
  stopping.add("store", "NATS", part.stop);
  return `nats://127.0.0.1:${options.port}`;
}

/** All of them, also when one fails: what the others have started must be known to be stopped. */
async function together(work: Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) {
    if (result.status === "rejected") throw result.reason;
  }
}

async function step<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const since = performance.now();
  const result = await work();
  console.log(`✓ ${what.padEnd(28)} ${((performance.now() - since) / 1_000).toFixed(1)} s`);
  return result;
}
