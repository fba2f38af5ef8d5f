import { join, relative } from "node:path";
import { loadConfig } from "@collect/runtime";
import { z } from "zod";

export const ROOT = join(import.meta.dirname, "../../..");

/** A path as a person reads it: from the repository's root, if it is in there. */
export function shown(path: string): string {
  const fromRoot = relative(ROOT, path);
  return fromRoot.startsWith("..") ? path : fromRoot;
}

const ListenPort = z.coerce.number().int().min(1).max(65_535);

/** What can be set about the local stack. Everything has a default. */
const Settings = z.object({
  /** Everything the stack keeps: data, logs, secrets, demo.json. */
  LOCAL_DIRECTORY: z.string().default(join(ROOT, ".local")),
  /** What the gateway, the checkout, the dashboard, the bank door and the bank simulator listen on. */
  HOST: z.string().default("127.0.0.1"),
  GATEWAY_PORT: ListenPort.default(4000),
  CHECKOUT_PORT: ListenPort.default(4100),
  DASHBOARD_PORT: ListenPort.default(4200),
  BANK_DOOR_PORT: ListenPort.default(4300),
  BANK_SIMULATOR_PORT: ListenPort.default(4400),
  RECEIVER_PORT: ListenPort.default(4500),
  POSTGRES_PORT: ListenPort.default(4432),
  NATS_PORT: ListenPort.default(4422),
  /** A PostgreSQL server that exists already, as a user who may create databases and roles. */
  DATABASE_URL: z.url().optional(),
  /** A NATS server with JetStream that exists already. */
  NATS_URL: z.string().optional(),
  /** Whether a new demo merchant gets weeks of history; tests do without. */
  DEMO_HISTORY: z.stringbool().default(true),
  /** Nothing quieter: services say at "info" that they are ready. */
  LOG_LEVEL: z.enum(["trace", "debug", "info"]).default("info"),
});
export type Settings = z.output<typeof Settings>;

export function loadSettings(): Settings {
  return loadConfig(Settings, process.env);
}

/** The ports the stack will listen on, with the variable that changes each. */
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
    port("BANK_DOOR_PORT", "the bank door"),
    port("BANK_SIMULATOR_PORT", "the bank simulator"),
    port("RECEIVER_PORT", "the webhook receiver"),
    ...(settings.DATABASE_URL ? [] : [port("POSTGRES_PORT", "PostgreSQL")]),
    ...(settings.NATS_URL ? [] : [port("NATS_PORT", "NATS")]),
  ];
}
