import type { Injected, Outcome } from "./run.ts";
import { nameOf } from "./timeline.ts";

/** The result of a run, as text. */
export function reportOf(outcome: Outcome, { seed, command }: { seed: number; command: string }): string {
  const { injected, violations, figures, skipped } = outcome;
  const lines = [
    "",
    ...Object.entries(figures).map(([name, value]) => `${name.padEnd(24)} ${value}`),
    "",
    ...injected.map((each) => `${recoveryTime(each).padStart(8)} to recover from ${nameOf(each.fault)}`),
    "",
    "| fault | times | longest to recover |",
    "|---|---:|---:|",
    ...byKind(injected),
    "",
    ...skipped.map((each) => `skipped: ${each}`),
    ...violations.map((violation) => `VIOLATED: ${violation}`),
    violations.length === 0 ? "Every invariant holds." : `${violations.length} violations.`,
    `seed ${seed}: ${command}`,
  ];
  return lines.join("\n");
}

/** Rows for the table in docs/performance.md. */
function byKind(injected: readonly Injected[]): string[] {
  const groups = Map.groupBy(injected, ({ fault: { kind } }) => kind);
  return [...groups].map(([kind, all]) => {
    const slowest = all.toSorted((a, b) => secondsOf(b) - secondsOf(a))[0];
    if (!slowest) return "";
    return `| ${kind} | ${all.length} | ${recoveryTime(slowest)} (${nameOf(slowest.fault)}) |`;
  });
}

const secondsOf = ({ recoveredMs }: Injected) => (recoveredMs ?? Number.POSITIVE_INFINITY) / 1_000;
const recoveryTime = ({ recoveredMs }: Injected) =>
  recoveredMs === undefined ? "never" : `${(recoveredMs / 1_000).toFixed(1)} s`;
