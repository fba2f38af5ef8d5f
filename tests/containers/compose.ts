import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { createSeed, publicKeyOf } from "@collect/bus";
import { freePort } from "@collect/servers";
import { ROOT } from "../stack/service.ts";

/** docker-compose.yml as a deployment of its own: its images, volumes, ports and secrets are no other one's. */
export type Deployment = {
  /** The address on this machine of what docker-compose.yml publishes under this port. */
  url(port: number): string;
  /** The output of `docker compose …`; throws with it if the command fails. */
  compose(...args: string[]): Promise<string>;
  /** The same, as it runs, on this process's output. */
  show(...args: string[]): Promise<void>;
  /** What the operator's command line prints, signed by the deployment's operator or by another one's key. It finds `files` in /files. */
  ops(args: string[], seed?: string): Promise<string>;
  files: string;
  /** The key of a second operator. */
  secondOperator: string;
  /** Does what infra/docker/README.md says for a simulated partner bank. */
  addPartner(partner: string): Promise<void>;
  /** The webhooks that came to http://receiver:8080, in order. */
  received(): Promise<{ path: string; signature: string; raw: Buffer }[]>;
  remove(): Promise<void>;
};

const run = promisify(execFile);
const OUTPUT_MAX = 64 * 1024 * 1024;
/** Where a service is, and under which port of this machine the proxy or the bank publishes it. */
const PUBLISHED = { proxy: [4000, 4100, 4200, 4300], "bank-simulator": [4400], operators: [4210] };

export const engineAnswers = (): Promise<boolean> =>
  run("docker", ["info"], { timeout: 10_000 }).then(
    () => true,
    () => false,
  );

/** A copy of the tree, so that the secrets and operators of a deployment that was made in it stay as they are. */
export async function createDeployment(): Promise<Deployment> {
  const directory = await mkdtemp(join(tmpdir(), "collect-containers-"));
  const ports = new Map<number, number>();
  for (const port of Object.values(PUBLISHED).flat()) ports.set(port, await freePort());
  const url = urlsOf(ports);
  const { files, secondOperator } = await prepare(directory, ports);

  // A file of the machine's own may say how its engine reaches the network while it builds.
  const own = process.env.CONTAINERS_COMPOSE_FILE;
  const parts = ["docker-compose.yml", "containers.yml", ...(own ? [own] : [])].flatMap((file) => ["--file", file]);
  const base = ["compose", "--project-name", "collect-containers", ...parts];
  const options = { cwd: directory, env: { ...process.env, RELEASE: "containers" }, maxBuffer: OUTPUT_MAX };
  const compose = async (...args: string[]) => (await run("docker", [...base, ...args], options)).stdout;
  const ops = ["run", "--rm", "--volume", `${files}:/files:ro`, "ops"];
  return {
    url,
    compose,
    async show(...args) {
      const child = spawn("docker", [...base, ...args], { ...options, stdio: "inherit" });
      const [code] = await once(child, "exit");
      if (code !== 0) throw new Error(`docker compose ${args.join(" ")} exited with ${code}`);
    },
    async ops(args, seed = "") {
      const env = { ...options.env, OPERATOR_SEED: seed };
      return (await run("docker", [...base, ...ops, ...args], { ...options, env })).stdout;
    },
    files,
    secondOperator,
    async addPartner(partner) {
      const readme = await readFile(join(directory, "infra/docker/README.md"), "utf8");
      const blocks = readme.split("```sh\n").map((part) => part.split("```")[0] ?? "");
      const commands = blocks.find((block) => block.includes(`\nBANK_PARTNER=${partner}\n`)) ?? "exit 1";
      await run("sh", ["-e", "-c", commands], { cwd: directory });
    },
    async received() {
      const output = await compose("logs", "--no-log-prefix", "receiver");
      return output.split("\n").flatMap((line) => {
        if (!line.startsWith("{")) return [];
        const { path, signature, raw } = JSON.parse(line);
        return [{ path, signature, raw: Buffer.from(raw, "base64") }];
      });
    },
    async remove() {
      await compose("--profile", "*", "down", "--volumes", "--remove-orphans", "--timeout", "5");
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const urlsOf = (ports: Map<number, number>) => (port: number) => `http://127.0.0.1:${ports.get(port)}`;

/** The tree with its settings, secrets and two operators. */
async function prepare(directory: string, ports: Map<number, number>) {
  await copyTree(directory);
  const own = { FOUR_EYES: "false", ALLOW_PRIVATE_URLS: "true", WEBHOOK_PORTS: "8080" };
  const settings = { ...own, CHECKOUT_URL: urlsOf(ports)(4100) };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(directory, ".env"), lines.join(""));
  await writeFile(join(directory, "containers.yml"), additions(ports));
  const secondOperator = createSeed();
  const writeEnv = (...args: string[]) =>
    run(process.execPath, ["infra/docker/src/write-env.ts", ...args], { cwd: directory });
  await writeEnv();
  await writeEnv(`bola:${publicKeyOf(secondOperator)}`);
  const files = join(directory, "files");
  await mkdir(files);
  return { files, secondOperator };
}

/** Ports that are free, and a merchant's server, which prints what it receives. */
function additions(ports: Map<number, number>): string {
  const published = Object.entries(PUBLISHED).map(([service, own]) => {
    const list = own.map((port) => `"127.0.0.1:${ports.get(port)}:${port}"`);
    return `  ${service}: { ports: !override [${list.join(", ")}] }\n`;
  });
  const receiver = {
    image: "$" + "{NODE_IMAGE:-node:24-slim}",
    command: ["node", "--eval", RECEIVER],
    networks: ["outside"],
  };
  return `services:\n${published.join("")}  receiver: ${JSON.stringify(receiver)}\n`;
}

/** It answers the challenge that a new URL gets, and takes every event. */
const RECEIVER = `require("node:http").createServer(async (request, response) => {
  const raw = Buffer.concat(await request.toArray());
  const { path, signature } = { path: request.url, signature: request.headers["x-service-signature"] };
  console.log(JSON.stringify({ path, signature, raw: raw.toString("base64") }));
  response.end(JSON.parse(raw).data.challenge ?? "ok");
}).listen(8080)`.replaceAll("\n", " ");

/** What git knows, and the packages that write-env.ts needs. */
async function copyTree(directory: string): Promise<void> {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: ROOT });
  for (const file of new Set(listed.toString().split("\0").filter(Boolean))) {
    await mkdir(dirname(join(directory, file)), { recursive: true });
    await cp(join(ROOT, file), join(directory, file), { verbatimSymlinks: true }).catch((error) => {
      if (error.code !== "ENOENT") throw error;
    });
  }
  await symlink(join(ROOT, "infra/docker/node_modules"), join(directory, "infra/docker/node_modules"));
}
