import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { startStack } from "../stack.ts";
import { type FuzzReport, fuzz } from "./run.ts";

/** npm run fuzz: sends calls made from the document to its own stack, and exits with 1 if an answer is not as documented. */

const USAGE = "usage: npm run fuzz -- [--calls N (1 to 100000; 10000)] [--seed S] [--workers N (1 to 16; 4)]";
const MAX_SEED = 2 ** 31 - 1;

const given = readArguments();
console.log(`seed ${given.seed}`);
const stack = await startStack();
const began = performance.now();
const report = await fuzz(stack, given).finally(() => stack.stop());
console.log(textOf(report, performance.now() - began));
process.exit(report.faults.length === 0 ? 0 : 1);

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        calls: { type: "string", default: "10000" },
        seed: { type: "string", default: String(randomInt(MAX_SEED)) },
        workers: { type: "string", default: "4" },
      },
    });
    const whole = (name: keyof typeof values, min: number, max: number) => {
      const value = Number(values[name]);
      if (!(Number.isInteger(value) && value >= min && value <= max))
        throw new Error(`--${name} ${values[name]} is not between ${min} and ${max}`);
      return value;
    };
    return { calls: whole("calls", 1, 100_000), seed: whole("seed", 0, MAX_SEED), workers: whole("workers", 1, 16) };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}

function textOf({ sent, byStatus, refusalsCompared, valid, stricter, faults }: FuzzReport, durationMs: number): string {
  const statuses = [...byStatus].sort(([one], [other]) => one - other).map(([status, calls]) => `${status}: ${calls}`);
  const fields = [...stricter].sort(([, one], [, other]) => other - one).map(([what, calls]) => `  ${calls} × ${what}`);
  return [
    `${sent} calls in ${Math.round(durationMs / 1_000)} s. ${statuses.join(", ")}`,
    `${valid.sent} were as the document describes them; ${valid.succeeded} of those succeeded`,
    `after ${refusalsCompared} refusals the rows of the merchant were compared`,
    ...(fields.length > 0 ? ["allowed by the document, and refused:", ...fields] : []),
    faults.length > 0 ? `${faults.length} faults:\n${faults.join("\n")}` : "no fault",
  ].join("\n");
}
