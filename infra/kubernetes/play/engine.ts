import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { sourcesOf, type Workload } from "../test/manifests.ts";

const run = promisify(execFile);

/** A command of the engine's client. */
export async function docker(...args: string[]): Promise<string> {
  const { stdout, stderr } = await run("docker", args, { maxBuffer: 8 * 1024 ** 2 });
  return stdout + stderr;
}

/** What the pod of a manifest asks for, as arguments of `docker run`. Its Secrets become files in `directory`. */
export async function argumentsOf(
  pod: Workload,
  secrets: Record<string, Record<string, string>>,
  directory: string,
  changes: Record<string, string>,
): Promise<string[]> {
  const [container] = pod.spec.template.spec.containers;
  if (!container) throw new Error("the pod has no container");
  await mkdir(directory, { recursive: true });
  for (const { secret } of sourcesOf(pod)) {
    for (const { key, path } of secret.items) {
      const value = secrets[secret.name]?.[key];
      if (value === undefined) throw new Error(`no ${key} of ${secret.name}`);
      await writeFile(join(directory, path), value, { mode: 0o444 });
    }
  }
  const env = container.env.map(({ name, value = "0" }) => `${name}=${changes[name] ?? value}`);
  const { cpu = "1", memory = "256Mi" } = container.resources.limits;
  return [
    ...["--user", "1000:1000", "--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"],
    ...["--tmpfs", "/tmp:size=16m", "--volume", `${directory}:/run/secrets:ro`],
    ...[
      "--cpus",
      cpu.endsWith("m") ? String(Number(cpu.slice(0, -1)) / 1_000) : cpu,
      "--memory",
      memory.replace("Mi", "m"),
    ],
    ...env.flatMap((variable) => ["--env", variable]),
  ];
}

/** Asks until it holds, and gives up after two minutes. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<number> {
  const started = performance.now();
  while (!(await holds().catch(() => false))) {
    if (performance.now() - started > 120_000) throw new Error(`${what}: not within two minutes`);
    await delay(300);
  }
  return Math.round(performance.now() - started);
}
