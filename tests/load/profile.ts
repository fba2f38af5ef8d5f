import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Stack, StackOptions } from "../stack.ts";

/** `npm run bench -- --only door --profile`: where the path spends its time. Profiling has overhead, so its figures are not comparable with the bench's. */

const SERVICES = ["accounts", "ledger", "payments", "webhooks"] as const;
const DIRECTORY = join(import.meta.dirname, "../../.local/profile");
const TOP = 14;

/** Stack options for a profiled run. */
export function profiling(): Pick<StackOptions, "env" | "postgres"> {
  const env = (service: string) => ({
    NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${DIRECTORY} --cpu-prof-name=${service}.cpuprofile`,
  });
  return {
    env: Object.fromEntries(SERVICES.map((service) => [service, env(service)])),
    postgres: {
      shared_preload_libraries: "pg_stat_statements",
      "pg_stat_statements.track": "all",
      "pg_stat_statements.track_planning": "on",
    },
  };
}

export async function printProfile(stack: Stack): Promise<void> {
  await mkdir(DIRECTORY, { recursive: true });
  await printStatements(stack);
  for (const service of SERVICES) {
    // A process writes its profile on a graceful exit.
    await stack.service(service).restart({ env: { NODE_OPTIONS: "" } });
    const profile: CpuProfile = JSON.parse(await readFile(join(DIRECTORY, `${service}.cpuprofile`), "utf8"));
    console.log(`\n${service}: self time by function`);
    for (const [name, share] of topFunctions(profile))
      console.log(`${(100 * share).toFixed(1).padStart(6)} %  ${name}`);
  }
  console.log("\nthe whole profiles are in .local/profile (Chrome's DevTools open them)");
}

type Statement = { database: string; calls: bigint; total_ms: number; plan_ms: number; query: string };

async function printStatements(stack: Stack): Promise<void> {
  const pool = stack.database("ledger");
  await pool.query("create extension if not exists pg_stat_statements");
  const { rows } = await pool.query<Statement>(`
    select datname as database, calls, total_exec_time as total_ms, total_plan_time as plan_ms, query
    from pg_stat_statements s join pg_database d on d.oid = s.dbid
    order by total_exec_time + total_plan_time desc limit ${2 * TOP}`);
  console.log("\nPostgreSQL: time in statements (a trigger's statements also count in the statement that fired it)");
  for (const { database, calls, total_ms, plan_ms, query } of rows) {
    const text = query.replace(/\s+/g, " ").trim().slice(0, 90);
    console.log(
      `${total_ms.toFixed(0).padStart(8)} ms ${plan_ms.toFixed(0).padStart(6)} ms planning ${String(calls).padStart(8)} ×  ${database.replace("collect_", "").padEnd(9)} ${text}`,
    );
  }
}

type CpuProfile = {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
};

/** The functions' shares of the samples in which the process was not idle. */
function topFunctions({ nodes, samples }: CpuProfile): [string, number][] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const busy = samples.map((id) => names.get(id) ?? "").filter((name) => name !== "(idle)");
  const counts = new Map<string, number>();
  for (const name of busy) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, TOP)
    .map(([name, count]) => [name, count / busy.length]);
}

function nameOf({ functionName, url, lineNumber }: CpuProfile["nodes"][number]["callFrame"]): string {
  const file = url.split("/").slice(-3).join("/");
  return file ? `${functionName || "(anonymous)"}  ${file}:${lineNumber + 1}` : functionName;
}
