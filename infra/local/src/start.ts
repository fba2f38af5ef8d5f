import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brokerUsers, connectBus, migrateBus, publicKeysOf } from "@collect/bus";
import { createLogger } from "@collect/runtime";
import { startNats, startPostgres } from "@collect/servers";
import { announce } from "./announce.ts";
import { demoMerchant } from "./demo-merchant.ts";
import { demoUser } from "./demo-user.ts";
import { Demo, readJson, writeJson } from "./files.ts";
import { createHistory } from "./history.ts";
import { startMailbox } from "./mailbox.ts";
import { untilAccountsReady } from "./partners.ts";
import { startReceiver } from "./receiver.ts";
import { assertPortsFree, describeStack, recordStack, runningStack } from "./running.ts";
import { loadSecrets, type Secrets } from "./secrets.ts";
import { prepareDatabases, serviceComponents } from "./services.ts";
import { displayPath, loadSettings, type Settings } from "./settings.ts";
import { simulatedBank } from "./simulated-bank.ts";
import { createStopping } from "./stopping.ts";
import { supervise } from "./supervise.ts";

/** The processes that receive requests from outside. */
const INGRESS = ["gateway", "checkout", "dashboard", "operators", "bank-simulator"];

/** Its cache is the operating system's; the default is for a machine of its own. */
const POSTGRES_SETTINGS = { shared_buffers: "16MB", io_method: "sync", max_connections: "200" };

const COMPILE = join(import.meta.dirname, "compile.ts");

/** npm start: the whole product on this machine, until Ctrl-C. */

const stopping = createStopping();
try {
  await start(loadSettings());
} catch (error) {
  if (!stopping.hasBegun()) console.error(`\n✗ ${error instanceof Error ? error.message : String(error)}`);
  await stopping.stop(1);
}

async function assertNotRunning(directory: string): Promise<void> {
  const running = await runningStack(directory);
  if (!running) return;
  const { pid } = running;
  throw new Error(
    `npm start is already running here (process ${pid}): stop it with Ctrl-C in its terminal or with kill ${pid}`,
  );
}

async function start(settings: Settings): Promise<void> {
  const directory = settings.LOCAL_DIRECTORY;
  await assertNotRunning(directory);
  await assertPortsFree(settings);
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
  stopping.add("store", "mailbox", (await startMailbox(settings)).stop);
  await recordStack(stack);

  const secrets = await loadSecrets(directory);
  const [databaseUrl, natsUrl] = await startServers(settings, secrets);
  const databases = await step("database migrations", () => prepareDatabases(databaseUrl, secrets.database_password));
  const { migrate, operator } = secrets.nkey_seeds;
  const log = createLogger("local", "silent");
  await step("stream migrations", () => migrateBus({ url: natsUrl, seed: migrate, log }));
  console.log("• starting the services");
  await startServices(serviceComponents({ settings, secrets, natsUrl, databases }));

  const bus = await connectBus({ url: natsUrl, seed: operator, name: "operator", log });
  await step("accounts at the partner bank", () => untilAccountsReady(bus));
  const merchant = await step("demo merchant", () =>
    demoMerchant(bus, { directory, hooks: `${stack.receiver_url}/hooks` }),
  );
  const dashboardUrl = `http://localhost:${settings.DASHBOARD_PORT}`;
  const isSame = demo?.merchant.id === merchant.merchant.id;
  const user = await demoUser(bus, {
    dashboardUrl,
    merchantId: merchant.merchant.id,
    stored: isSame ? demo?.user : undefined,
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
    const { history } = demo;
    const given = { bus, ...merchant, bank: simulatedBank(stack), until: new Date(history.until) };
    await step("weeks of demo history", () => createHistory(given));
    demo = { ...demo, history: { ...history, is_whole: true } };
    await writeJson(demoFile, demo);
  }
  await bus.close();
  announce(demo, { stack, logs: displayPath(join(directory, "logs")), demoFile: displayPath(demoFile) });
}

async function startServers(settings: Settings, secrets: Secrets): Promise<[databaseUrl: string, natsUrl: string]> {
  console.log("• starting PostgreSQL and NATS");
  const compiled = step("compiling", () => promisify(execFile)(process.execPath, [...process.execArgv, COMPILE]));
  const [databaseUrl, natsUrl] = await Promise.all([ensurePostgres(settings), ensureNats(settings, secrets), compiled]);
  return [databaseUrl, natsUrl];
}

async function startServices(components: ReturnType<typeof serviceComponents>): Promise<void> {
  await allSettled(
    components.map(async (component) => {
      const { stop } = await step(component.name, () => supervise(component));
      stopping.add(INGRESS.includes(component.name) ? "ingress" : "service", component.name, stop);
    }),
  );
}

async function ensurePostgres(settings: Settings): Promise<string> {
  if (settings.DATABASE_URL) return settings.DATABASE_URL;
  const logFile = join(settings.LOCAL_DIRECTORY, "logs/postgres.log");
  const options = {
    directory: join(settings.LOCAL_DIRECTORY, "postgres"),
    port: settings.POSTGRES_PORT,
    log: logFile,
    settings: POSTGRES_SETTINGS,
  };
  let url = "";
  const start = async () => {
    const server = await startPostgres(options);
    url = server.url;
    return server;
  };
  const component = await step(`PostgreSQL on port ${options.port}`, () =>
    supervise({ name: "PostgreSQL", logFile, start }),
  );
  stopping.add("store", "PostgreSQL", component.stop);
  return url;
}

async function ensureNats(settings: Settings, secrets: Secrets): Promise<string> {
  if (settings.NATS_URL) return settings.NATS_URL;
  const logFile = join(settings.LOCAL_DIRECTORY, "logs/nats.log");
  const users = brokerUsers(publicKeysOf(secrets.nkey_seeds));
  const options = { directory: join(settings.LOCAL_DIRECTORY, "nats"), port: settings.NATS_PORT, log: logFile, users };
  const component = await step(`NATS on port ${options.port}`, () =>
    supervise({ name: "NATS", logFile, start: () => startNats(options) }),
  );
  stopping.add("store", "NATS", component.stop);
  return `nats://127.0.0.1:${options.port}`;
}

/** Waits for all of them even if one fails: whatever the others have started must be registered to be stopped. */
async function allSettled(work: Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) {
    if (result.status === "rejected") throw result.reason;
  }
}

async function step<Result>(label: string, work: () => Promise<Result>): Promise<Result> {
  const since = performance.now();
  const result = await work();
  console.log(`✓ ${label.padEnd(28)} ${((performance.now() - since) / 1_000).toFixed(1)} s`);
  return result;
}
