import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { KEY_LOOKUPS_ONLY, sessionSettings, TIGHT } from "@collect/database";
import { loadConfig } from "@collect/runtime";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { filledIn } from "./filled-in.ts";
import { newSecret } from "./new-secret.ts";
import { secretsIn } from "./secrets.ts";
import { usersOf } from "./users.ts";

const ROOT = join(import.meta.dirname, "../../..");
const Process = z.object({
  image: z.string(),
  build: z
    .object({
      context: z.literal("."),
      dockerfile: z.literal("infra/docker/Dockerfile"),
      args: z.object({ FOLDER: z.string(), NODE_IMAGE: z.string() }),
    })
    .optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  environment: z.record(z.string(), z.string()).default({}),
  profiles: z.array(z.string()).default([]),
  entrypoint: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
  configs: z.array(z.object({ source: z.string(), target: z.string() })).default([]),
  secrets: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  restart: z.string().optional(),
  stop_grace_period: z.string().optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  mem_limit: z.string().optional(),
  pids_limit: z.number().optional(),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
});
const Compose = z.object({
  services: z.record(z.string(), Process),
  volumes: z.record(z.string(), z.null()),
  configs: z.record(z.string(), z.object({ file: z.string() })),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});

const text = readFileSync(join(ROOT, "docker-compose.yml"), "utf8");
const compose = Compose.parse(parse(text, { merge: true }));
const services = Object.entries(compose.services);
/** Read by the exporter of traces itself, and by loadConfig. */
const OF_LIBRARIES = [
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_TRACES_SAMPLER",
  "OTEL_TRACES_SAMPLER_ARG",
  "ALLOW_PLAINTEXT",
];

/** The schema that a process validates its environment with: the images of the dashboard and of the jobs have several. */
async function configOf(folder: string, command: string | undefined): Promise<z.ZodObject> {
  const at = (path: string) => import(join(ROOT, path));
  if (command === "src/operators.ts") return (await at(`${folder}/src/config.ts`)).OperatorsConfig;
  if (command === "src/roles.ts") return (await at(`${folder}/src/config.ts`)).RolesConfig;
  if (command === "src/streams.ts") return (await at(`${folder}/src/config.ts`)).StreamsConfig;
  if (command?.endsWith("/migrate-job.ts")) return (await at("packages/database/src/config.ts")).Config;
  return (await at(`${folder}/src/config.ts`)).Config;
}

const built = services.flatMap(([name, { build, command, environment }]) =>
  build ? [{ name, config: () => configOf(build.args.FOLDER, command?.at(-1)), environment }] : [],
);

test("every service runs from its own folder, and so does its migrate job, on the same image", () => {
  for (const service of readdirSync(join(ROOT, "services"))) {
    const { [service]: own, [`migrate-${service}`]: job } = compose.services;
    expect(own?.build?.args.FOLDER).toBe(`services/${service}`);
    expect([job?.image, job?.build]).toEqual([own?.image, own?.build]);
    expect(own?.depends_on).toHaveProperty(`migrate-${service}`);
  }
});

describe.each(built)("$name", ({ environment, config }) => {
  test("gets every required variable of its configuration, and no unknown ones", async () => {
    const { shape } = await config();
    const names = Object.keys(shape);
    const required = names.filter((name) => !z.safeParse(shape[name] as z.ZodType, undefined).success);
    const passwords = names.map((name) => name.replace(/_URL$/, "_PASSWORD"));
    const given = Object.keys(environment).map((name) => name.replace(/_FILE$/, ""));
    expect([...names, ...passwords, ...OF_LIBRARIES]).toEqual(expect.arrayContaining(given));
    expect(given).toEqual(expect.arrayContaining(required));
  });

  test("starts in production with this environment, and not without what it says about plaintext", async () => {
    const Config = await config();
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

/** The keys of the broker's users. */
const seeds = () =>
  Object.fromEntries(
    secretsIn(text)
      .filter((name) => name.endsWith("_NKEY_SEED"))
      .map((name) => [name, newSecret(name)]),
  );

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
  const users = usersOf({ ...seeds(), NATS_SERVER_CERT: "c.pem", NATS_SERVER_KEY: "k.pem" });
  const named = [...users.matchAll(/_file: "([^"]+)"/g)].map(([, path]) => path);
  expect(named).toHaveLength(2);
  expect(targets).toEqual(expect.arrayContaining([...named, "/etc/nats/users.conf", "/etc/nats/collect.conf"]));
});

test("every secret is a file, a process gets those that its settings name and no other, and none is in the environment", () => {
  for (const [name, { secrets, environment }] of services) {
    const read = Object.values(environment).flatMap((value) => /^\/run\/secrets\/(\w+)$/.exec(value)?.[1] ?? []);
    expect([name, secrets.toSorted()]).toEqual([name, read.toSorted()]);
    for (const secret of secrets) expect(compose.secrets[secret]?.file).toBe(`infra/docker/secrets/${secret}`);
    const inClear = Object.keys(environment).filter((each) => /(PASSWORD|SECRET|_KEY|KEYRING|SEED)$/.test(each));
    expect([name, inClear]).toEqual([name, name === "ops" ? ["OPERATOR_SEED"] : []]);
  }
});

test("only PostgreSQL and the job that makes the roles have the administrator's password, and a migrate job has its own only", () => {
  const holders = services.filter(([, { secrets }]) => secrets.includes("postgres_password")).map(([name]) => name);
  expect(holders).toEqual(["postgres", "roles"]);
  for (const [name, { secrets }] of services)
    if (name.startsWith("migrate-")) expect(secrets).toEqual([`${name.replace("migrate-", "")}_owner_password`]);
});

test("nothing has a capability, a root file system to write to, or unlimited memory and processes", () => {
  for (const [name, { read_only, cap_drop, security_opt, mem_limit, pids_limit }] of services) {
    const hardened = { read_only, cap_drop, security_opt, isLimited: Boolean(mem_limit && pids_limit) };
    const wanted = { read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"], isLimited: true };
    expect([name, hardened]).toEqual([name, wanted]);
  }
});

test("whatever goes on running is watched, and has more time to stop than a process takes", () => {
  const running = services.filter(([, { restart }]) => restart === "unless-stopped");
  for (const [name, { healthcheck }] of running) expect(healthcheck, name).toBeDefined();
  for (const [name, { build, stop_grace_period }] of running)
    if (build) expect([name, stop_grace_period]).toEqual([name, "30s"]);
  const jobs = services.filter(([, { restart }]) => restart === "on-failure:10").map(([name]) => name);
  const migrations = readdirSync(join(ROOT, "services")).map((service) => `migrate-${service}`);
  expect(jobs.toSorted()).toEqual(["roles", "streams", ...migrations].toSorted());
});

test("PgBouncer sets for every service what a direct connection of its path of money and requests gets", async () => {
  const ini = readFileSync(join(ROOT, "infra/docker/pgbouncer.ini"), "utf8");
  const { POSTING_SETTINGS } = await import(join(ROOT, "services/ledger/src/store/post-batch.ts"));
  const databases = [...ini.matchAll(/^collect_([a-z]+) = (.* dbname=collect_\1) connect_query='(.+)'$/gm)];
  for (const [, service, server, query = ""] of databases) {
    expect(ini).toContain(`\ncollect_${service}_test = ${server} pool_size=10 connect_query='${query}'\n`);
    const set = query
      .replaceAll("''", "")
      .split("; ")
      .map((each) => each.replace(/^set /, ""));
    expect([service, set]).toEqual([
      service,
      sessionSettings(TIGHT, service === "ledger" ? POSTING_SETTINGS : KEY_LOOKUPS_ONLY),
    ]);
  }
  const override = readFileSync(join(ROOT, "infra/docker/pgbouncer.yml"), "utf8");
  const pooled = [...override.matchAll(/@pgbouncer:6432\/collect_(\w+)/g)].map(([, service]) => service);
  expect(databases.map(([, service]) => service)).toEqual(pooled);
  expect(pooled).toHaveLength(5);
});
