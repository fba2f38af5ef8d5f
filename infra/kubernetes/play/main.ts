import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthority } from "@collect/servers";
import { exampleOf } from "../test/example.ts";
import { Manifest, parse, sourcesOf, type Workload, withPods } from "../test/manifests.ts";
import { argumentsOf, docker, until } from "./engine.ts";
import { natsFor, postgresOf } from "./neighbors.ts";

/**
 * node infra/kubernetes/play/main.ts ledger [TAG]: plays the pods of a service's file on a container engine, with their images,
 * settings, Secrets, users and limits, beside a PostgreSQL with the roles of its Cluster: the jobs, one replica, and SIGTERM.
 */
const [service = "ledger", tag = "latest"] = process.argv.slice(2);
const root = join(import.meta.dirname, "../../..");
const network = `play-${service}`;
const directory = await mkdtemp(join(tmpdir(), "play-"));
const password = randomBytes(16).toString("hex");
const read = async (path: string) =>
  parse(await readFile(join(root, path), "utf8")).map((each) => Manifest.parse(each));
const own = await read(`services/${service}/deploy/kubernetes.yaml`);
const shared = await read("infra/kubernetes/shared.yaml");
const cluster = own.find(({ kind }) => kind === "Cluster");
if (!cluster) throw new Error(`${service} has no database`);

const say = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
const imageOf = (pod: Workload) =>
  pod.spec.template.spec.containers[0]?.image.replace(/^.*\/([\w-]+):.*$/, `collect/$1:${tag}`) ?? "";

/** What the README's table has, for this pod. */
function secretsFor(pods: Workload[], authority: string, seeds: Record<string, string>) {
  const secrets: Record<string, Record<string, string>> = {};
  for (const { secret } of pods.flatMap(sourcesOf)) {
    const keys = secret.items.map(({ key }) => [key, valueFor(secret.name, key)] as const);
    secrets[secret.name] = { ...secrets[secret.name], ...Object.fromEntries(keys) };
  }
  return secrets;
  function valueFor(name: string, key: string): string {
    if (key === "ca.crt") return authority;
    if (key === "password") return password;
    if (key === "NATS_NKEY_SEED") return seeds[name === "streams" ? "migrate" : name] ?? "";
    return exampleOf(key);
  }
}

async function start(pod: Workload, secrets: ReturnType<typeof secretsFor>, more: string[]) {
  const container = pod.spec.template.spec.containers[0];
  const name = `${network}-${pod.kind.toLowerCase()}-${pod.metadata.name}`;
  // One broker instead of three.
  const wanted = await argumentsOf(pod, secrets, join(directory, name), { NATS_REPLICAS: "1" });
  const command = (container?.command ?? []) as string[];
  await docker("run", ...more, "--name", name, "--network", network, ...wanted, imageOf(pod), ...command);
  return name;
}

/** As the kubelet and Prometheus ask. Throws if the answer is not 200. */
async function ask(name: string, path: string): Promise<string> {
  const code = `const r = await fetch("http://127.0.0.1:9100${path}"); console.log(r.status); process.exit(r.ok ? 0 : 1)`;
  return (await docker("exec", name, "node", "--input-type=module", "--eval", code)).trim();
}

try {
  const authority = await createAuthority(directory);
  await docker("network", "create", "--internal", network);
  const place = { network, directory, authority, password };
  const seeds = await natsFor(place, root);
  await postgresOf(cluster, place);
  say("the database, its roles and the broker run, both with TLS only for our users");
  const jobs = [...withPods(shared), ...withPods(own)].filter(({ kind }) => kind === "Job");
  const [process_] = withPods(own).filter(({ kind }) => kind !== "Job");
  if (!process_) throw new Error(`${service} has no replicas`);
  const secrets = secretsFor([...jobs, process_], await readFile(authority.file, "utf8"), seeds);
  for (const each of jobs) {
    await start(each, secrets, ["--rm"]);
    say(`Job ${each.metadata.name}: done`);
  }
  const name = await start(process_, secrets, ["--detach"]);
  const took = await until(`${service} is ready`, async () => (await docker("logs", name)).includes('"event":"ready"'));
  say(`${process_.kind} ${service}: started, ready after ${took} ms`);
  for (const path of ["/livez", "/readyz", "/metrics"]) {
    const answer = await ask(name, path).catch(() => undefined);
    say(`${path}: ${answer ?? "no answer"}`);
    if (!answer) process.exitCode = 1;
  }
  const stopping = performance.now();
  await docker("stop", "--time", "40", name);
  const code = (await docker("inspect", "--format", "{{.State.ExitCode}}", name)).trim();
  say(`SIGTERM: ended with ${code} after ${Math.round(performance.now() - stopping)} ms`);
  if (code !== "0") process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  const names = (await docker("ps", "--all", "--quiet", "--filter", `network=${network}`)).split("\n").filter(Boolean);
  if (process.exitCode)
    for (const name of names) console.log((await docker("logs", "--tail", "15", name)).slice(-3_000));
  if (names.length > 0) await docker("rm", "--force", "--volumes", ...names);
  await docker("network", "rm", network);
  await rm(directory, { recursive: true });
}
