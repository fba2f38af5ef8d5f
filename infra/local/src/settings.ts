import { join, relative } from "node:path";
import { SERVICES } from "@collect/contracts";
import { loadConfig } from "@collect/runtime";
import { z } from "zod";

export const ROOT = join(import.meta.dirname, "../../..");

/** A path for display: relative to the repository's root if it is inside. */
export function displayPath(path: string): string {
  const fromRoot = relative(ROOT, path);
  return fromRoot.startsWith("..") ? path : fromRoot;
}

/** Everything of ours that runs as a process, in the order of the internal ports. */
export const PROCESSES = [...SERVICES, "operators", "bank-simulator"] as const;
export type ProcessName = (typeof PROCESSES)[number];

/** The partner banks that the stack can have. */
export const BANK_NAMES = ["local", "providus", "monnify"] as const;
export type BankName = (typeof BANK_NAMES)[number];

const PORT_MAX = 65_535;
const ListenPort = z.coerce.number().int().min(1).max(PORT_MAX);

/** The settings of the local stack. Everything has a default. */
const Settings = z.object({
  /** Everything the stack stores: data, logs, secrets, demo.json. */
  LOCAL_DIRECTORY: z.string().default(join(ROOT, ".local")),
  /** The partner bank of live mode: that of our own protocol, or a real one, which is simulated too. */
  BANK: z.enum(BANK_NAMES, `has to be one of ${BANK_NAMES.join(", ")}`).default("local"),
  /** The address that the gateway, checkout, dashboard, bank door and bank simulator listen on. */
  HOST: z.string().default("127.0.0.1"),
  GATEWAY_PORT: ListenPort.default(4000),
  CHECKOUT_PORT: ListenPort.default(4100),
  DASHBOARD_PORT: ListenPort.default(4200),
  OPERATORS_PORT: ListenPort.default(4210),
  BANK_DOOR_PORT: ListenPort.default(4300),
  BANK_SIMULATOR_PORT: ListenPort.default(4400),
  RECEIVER_PORT: ListenPort.default(4500),
  /** The page that shows the stack's mails, and the SMTP server behind it. */
  MAILBOX_PORT: ListenPort.default(4600),
  MAILBOX_SMTP_PORT: ListenPort.default(4625),
  /** The first of the ports of /livez, /readyz and /metrics, one a process. */
  INTERNAL_PORTS: ListenPort.max(PORT_MAX + 1 - PROCESSES.length).default(4700),
  POSTGRES_PORT: ListenPort.default(4432),
  NATS_PORT: ListenPort.default(4422),
  /** An existing PostgreSQL server, with a user allowed to create databases and roles. */
  DATABASE_URL: z.url().optional(),
  /** An existing NATS server with JetStream. */
  NATS_URL: z.string().optional(),
  /** Whether to create weeks of history for a new demo merchant. Tests turn it off. */
  DEMO_HISTORY: z.stringbool().default(true),
  /** Whether a process that does not answer is restarted. A debugger that holds one looks the same. */
  RESTART_HUNG: z.stringbool().default(true),
  /** Not above info: services log at info that they are ready. */
  LOG_LEVEL: z.enum(["trace", "debug", "info"]).default("info"),
});
export type Settings = z.output<typeof Settings>;

export function loadSettings(): Settings {
  return loadConfig(Settings, process.env);
}

export function internalPortOf(process: ProcessName, { INTERNAL_PORTS }: Settings): number {
  return INTERNAL_PORTS + PROCESSES.indexOf(process);
}

/** The ports of the stack, each with the variable that changes it. */
export function portsOf(settings: Settings): { variable: string; port: number; what: string }[] {
  const port = (variable: keyof Settings & `${string}_PORT`, what: string) => ({
    variable,
    port: settings[variable],
    what,
  });
  return [
    port("GATEWAY_PORT", "the gateway"),
    port("CHECKOUT_PORT", "the checkout"),
    port("DASHBOARD_PORT", "the dashboard"),
    port("OPERATORS_PORT", "the operators' pages"),
    port("BANK_DOOR_PORT", "the bank door"),
    port("BANK_SIMULATOR_PORT", "the bank simulator"),
    port("RECEIVER_PORT", "the webhook receiver"),
    port("MAILBOX_PORT", "the mailbox"),
    port("MAILBOX_SMTP_PORT", "the mailbox's SMTP server"),
    ...PROCESSES.map((process) => ({
      variable: "INTERNAL_PORTS",
      port: internalPortOf(process, settings),
      what: `/readyz of ${process}`,
    })),
    ...(settings.DATABASE_URL ? [] : [port("POSTGRES_PORT", "PostgreSQL")]),
    ...(settings.NATS_URL ? [] : [port("NATS_PORT", "NATS")]),
  ];
}
