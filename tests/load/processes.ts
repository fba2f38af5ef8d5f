import { readdirSync, readFileSync } from "node:fs";

/** A descendant process, by name: a service, a bare chain's stage, postgres (all its processes), nats-server. */
export type Process = { pid: number; name: string };

/** The clock ticks per second in which /proc counts processor time. */
const TICKS = 100;

/** All descendants of a process. */
export function descendants(root: number): Process[] {
  const parents = new Map<number, number[]>();
  for (const entry of readdirSync("/proc")) {
    const pid = Number(entry);
    const parent = Number.isInteger(pid) ? parentOf(pid) : undefined;
    if (parent !== undefined) parents.set(parent, [...(parents.get(parent) ?? []), pid]);
  }
  const below = (pid: number): number[] => (parents.get(pid) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(root).map((pid) => ({ pid, name: nameOf(pid) }));
}

const END_WITHIN_MS = 10_000;

/** Ends what an interrupted bench leaves, and waits for it: a directory cannot be removed while a server writes to it. */
export function endDescendants(): void {
  const deadline = performance.now() + END_WITHIN_MS;
  while (performance.now() < deadline) {
    const living = descendants(process.pid).filter(({ pid }) => /^[^Z]/.test(statOf(pid)[0] ?? ""));
    if (living.length === 0) return;
    for (const { pid, name } of living)
      try {
        // PostgreSQL removes its shared memory then.
        process.kill(pid, name === "postgres" ? "SIGQUIT" : "SIGKILL");
      } catch {
        // It has just exited.
      }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
}

/** Starts measuring; the returned function gives the processor time of each process since then, in microseconds per item of `many`. */
export function processorClock(): (many: number) => Record<string, number> {
  const before = processorSeconds();
  return (many) => {
    const taken = [...processorSeconds()].map(
      ([name, seconds]) => [name, ((seconds - (before.get(name) ?? 0)) / many) * 1e6] as const,
    );
    return Object.fromEntries(taken.filter(([, microseconds]) => microseconds >= 1).sort(([, a], [, b]) => b - a));
  };
}

/** Includes the time of a server's exited children. */
function processorSeconds(): Map<string, number> {
  const { user, system } = process.cpuUsage();
  const seconds = summed(descendants(process.pid), ({ pid }) => {
    const fields = statOf(pid);
    return [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field] ?? 0), 0) / TICKS;
  });
  return seconds.set("load", (user + system) / 1e6);
}

/** Megabytes by name: the proportional set size, which counts memory shared by several processes once. */
export function proportionalMegabytes(processes: Process[]): Map<string, number> {
  return summed(processes, ({ pid }) => {
    const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(read(pid, "smaps_rollup")) ?? [];
    return Number(kilobytes ?? 0) / 1_024;
  });
}

function summed(processes: Process[], figure: (process: Process) => number): Map<string, number> {
  const sums = new Map<string, number>();
  for (const process of processes) sums.set(process.name, (sums.get(process.name) ?? 0) + figure(process));
  return sums;
}

function nameOf(pid: number): string {
  const command = read(pid, "cmdline").replaceAll("\0", " ");
  if (/^postgres:|\/postgres -D/.test(command)) return "postgres";
  if (command.includes("nats-server")) return "nats-server";
  const [, service] = /\/([\w-]+)\/src\/main\.ts/.exec(command) ?? [];
  const [, stage] = /bare-chain\/(\w+)\.ts/.exec(command) ?? [];
  return service ?? stage ?? "others";
}

const parentOf = (pid: number): number | undefined => {
  const parent = statOf(pid)[1];
  return parent === undefined ? undefined : Number(parent);
};

/** The fields after the command's name, which can contain any character. */
function statOf(pid: number): string[] {
  const stat = read(pid, "stat");
  return stat ? stat.slice(stat.lastIndexOf(")") + 2).split(" ") : [];
}

/** Empty if the process has just exited. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
