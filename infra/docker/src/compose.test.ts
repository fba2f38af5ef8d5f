import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "@collect/runtime";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { newSecret } from "./new-secret.ts";
import { usersOf } from "./users.ts";

const ROOT = join(import.meta.dirname, "../../..");
const Process = z.object({
  image: z.string().optional(),
  build: z
    .object({
      context: z.literal("."),
      dockerfile: z.literal("infra/docker/Dockerfile"),
      target: z.string().optional(),
      args: z.object({ FOLDER: z.string() }),
    })
    .optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  environment: z.record(z.string(), z.string()).default({}),
  profiles: z.array(z.string()).default([]),
  entrypoint: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
  configs: z.array(z.object({ source: z.string(), target: z.string() })).default([]),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
});
const Compose = z.object({
  services: z.record(z.string(), Process),
  volumes: z.record(z.string(), z.null()),
  configs: z.record(z.string(), z.object({ file: z.string() })),
});

const text = readFileSync(join(ROOT, "docker-compose.yml"), "utf8");
const compose = Compose.parse(parse(text, { merge: true }));
const built = Object.entries(compose.services).flatMap(([name, { build, command, environment }]) =>
  build ? [{ name, folder: build.args.FOLDER, isOperators: command?.at(-1) === "src/operators.ts", environment }] : [],
);

/** Two processes have the dashboard's image, each with a configuration of its own. */
async function configOf({ folder, isOperators }: { folder: string; isOperators: boolean }) {
  const { Config, OperatorsConfig } = await import(join(ROOT, folder, "src/config.ts"));
  return isOperators ? OperatorsConfig : Config;
}

test("every service runs from its own folder", () => {
  for (const service of readdirSync(join(ROOT, "services"))) {
    expect(compose.services[service]?.build?.args.FOLDER).toBe(`services/${service}`);
  }
});

describe.each(built)("$name", ({ environment, ...process }) => {
  test("gets every required variable of its configuration, and no unknown ones", async () => {
    const Config = await configOf(process);
    const shape: Record<string, z.ZodType> = Config.shape;
    const required = Object.keys(shape).filter((variable) => !shape[variable]?.safeParse(undefined).success);
    expect([...Object.keys(shape), "ALLOW_PLAINTEXT"]).toEqual(expect.arrayContaining(Object.keys(environment)));
    expect(Object.keys(environment)).toEqual(expect.arrayContaining(required));
  });

  test("starts in production with this environment, and not without what it says about plaintext", async () => {
    const Config = await configOf(process);
    const { ALLOW_PLAINTEXT = "", ...settings } = { ...filledIn(environment), NODE_ENV: "production" };
    expect(() => loadConfig(Config, { ...settings, ALLOW_PLAINTEXT })).not.toThrow();
    for (const name of ALLOW_PLAINTEXT.split(",")) {
      const fewer = ALLOW_PLAINTEXT.split(",").filter((each) => each !== name);
      expect(() => loadConfig(Config, { ...settings, ALLOW_PLAINTEXT: fewer.join() })).toThrow(
        `${name}: is not encrypted`,
      );
    }
  });
});

/** The environment as compose makes it of a new `.env`. */
function filledIn(environment: Record<string, string>): Record<string, string | undefined> {
  const fill = (text: string) =>
    text.replace(/\$\{(\w+)(?::([-+?])([^}]*))?\}/g, (_, name, kind, value) =>
      kind === "+" ? "" : kind === "-" ? value : newSecret(name),
    );
  return Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, fill(text)]));
}

/** The variables from which the broker's users are made, as this file requires them. */
const seeds = () =>
  Object.fromEntries([...text.matchAll(/\$\{(\w+_NKEY_SEED):\?/g)].map(([whole, name = ""]) => [name, `${whole}}`]));

test("every dependency exists and can meet its condition", () => {
  for (const { depends_on } of Object.values(compose.services)) {
    for (const [name, { condition }] of Object.entries(depends_on)) {
      const awaited = compose.services[name];
      expect(awaited, name).toBeDefined();
      if (condition === "service_healthy") expect(awaited?.healthcheck, name).toBeDefined();
    }
  }
});

test("ports are published on loopback only, and data is stored in volumes that exist", () => {
  for (const { ports, volumes } of Object.values(compose.services)) {
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    for (const volume of volumes) expect(compose.volumes).toHaveProperty(volume.split(":")[0] ?? "");
  }
});

test("the operator's command line starts only when it is run, takes the arguments, and needs nothing but the broker", () => {
  const { ops } = compose.services;
  expect(ops).toMatchObject({ profiles: ["operator"], entrypoint: ["node", "src/main.ts"], ports: [] });
  expect(Object.keys(ops?.depends_on ?? {})).toEqual(["nats"]);
  const started = Object.entries(compose.services).filter(([, { profiles }]) => profiles.length === 0);
  expect(started.map(([name]) => name)).not.toContain("ops");
});

test("every mounted file is declared, and every process on the bus gets the authority of the broker's certificate", () => {
  for (const [name, { configs, environment }] of Object.entries(compose.services)) {
    for (const { source } of configs) expect(compose.configs, name).toHaveProperty(source);
    const authority = configs.find(({ source }) => source === "nats-authority");
    expect([name, environment.NATS_CA]).toEqual([name, environment.NATS_URL && `\${NATS_CA:+${authority?.target}}`]);
  }
});

test("every file that the broker's configuration names is mounted into it", () => {
  const targets = compose.services.nats?.configs.map(({ target }) => target);
  const users = usersOf({ ...filledIn(seeds()), NATS_SERVER_CERT: "c.pem", NATS_SERVER_KEY: "k.pem" });
  const named = [...users.matchAll(/_file: "([^"]+)"/g)].map(([, path]) => path);
  expect(named).toHaveLength(2);
  expect(targets).toEqual(expect.arrayContaining([...named, "/etc/nats/users.conf", "/etc/nats/collect.conf"]));
});

test("every secret is required, so that none can be empty unnoticed", () => {
  const used = new Set([...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name));
  const required = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
  expect([...used].filter((name) => !required.has(name))).toEqual([]);
});
