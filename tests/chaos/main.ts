import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { reportOf } from "./report.ts";
import { runChaos } from "./run.ts";
import { DEFAULT_KINDS, FAULT_KINDS, type FaultKind } from "./schedule.ts";

/** npm run chaos: injects every known fault into its own stack, and exits with 1 if anything is lost or duplicated. */

const USAGE = `usage: npm run chaos -- [--minutes N (0.2 to 60; 10)] [--seed S] [--faults a,b (all but restore)] [--with a,b]
  [--replicas N (of each service, 1 to 5; 2)] [--rate N (transfers a second; 50)] [--burst N (maximum transfers in a burst; 3000)]
  [--gap SECONDS (between faults; 6)] [--every SECONDS (from the beginning of one to that of the next, instead of a gap)]
  [--settle SECONDS (240)]
faults: ${FAULT_KINDS.join(" ")}`;
const MAX_SEED = 2 ** 32 - 1;

const options = readArguments();
const scratch = mkdtempSync(join(tmpdir(), "collect-chaos-"));
process.env.TMPDIR = scratch;
process.on("exit", () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

console.log(`seed ${options.seed}`);
const outcome = await runChaos({ ...options, say: (line) => console.log(line) });
console.log(reportOf(outcome, options));
process.exit(outcome.violations.length === 0 ? 0 : 1);

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: "string", default: "10" },
        seed: { type: "string", default: String(randomInt(MAX_SEED)) },
        faults: { type: "string" },
        with: { type: "string" },
        replicas: { type: "string", default: "2" },
        rate: { type: "string", default: "50" },
        burst: { type: "string", default: "3000" },
        gap: { type: "string", default: "6" },
        every: { type: "string" },
        settle: { type: "string", default: "240" },
      },
    });
    const number = (name: Exclude<keyof typeof values, "faults" | "with">, min: number, max: number) => {
      const value = Number(values[name]);
      if (!(value >= min && value <= max))
        throw new Error(`--${name} ${values[name]} is not between ${min} and ${max}`);
      return value;
    };
    const kinds = [...(values.faults ? named(values.faults) : DEFAULT_KINDS), ...named(values.with ?? "")];
    const minutes = number("minutes", 0.2, 60);
    const seed = number("seed", 0, MAX_SEED);
    return {
      seed,
      seconds: minutes * 60,
      kinds,
      replicas: number("replicas", 1, 5),
      rate: number("rate", 1, 500),
      burst: number("burst", 0, 20_000),
      gapMs: number("gap", 1, 300) * 1_000,
      everyMs: values.every === undefined ? undefined : number("every", 1, 300) * 1_000,
      settleWithinMs: number("settle", 1, 3_600) * 1_000,
      command: `npm run chaos -- ${process.argv
        .slice(2)
        .filter((each, at, all) => each !== "--seed" && all[at - 1] !== "--seed")
        .join(" ")} --seed ${seed}`,
    };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}

function named(list: string): FaultKind[] {
  return list
    .split(",")
    .filter(Boolean)
    .map((name) => {
      const kind = FAULT_KINDS.find((each) => each === name);
      if (!kind) throw new Error(`there is no fault ${name}`);
      return kind;
    });
}
