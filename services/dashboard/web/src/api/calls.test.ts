import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const FIXTURE = fileURLToPath(new URL("../../test/types/", import.meta.url));
const TSC = fileURLToPath(new URL("../../node_modules/.bin/tsc", import.meta.url));

/** The lines of the fixture that the compiler rejects. */
async function refusedLines(): Promise<number[]> {
  const output = await new Promise<string>((resolve) => {
    execFile(TSC, ["-p", FIXTURE, "--pretty", "false"], (_error, stdout) => resolve(stdout));
  });
  return [...output.matchAll(/calls\.tsx\((\d+),/g)].map(([, line]) => Number(line));
}

test("a field outside the contract, an unknown call and a missing parameter fail the type check", async () => {
  const lines = readFileSync(`${FIXTURE}calls.tsx`, "utf8").split("\n");
  const marked = lines.flatMap((line, index) => (line.includes("refused: ") ? [index + 1] : []));
  expect(marked.length).toBeGreaterThan(10);
  expect([...new Set(await refusedLines())]).toEqual(marked);
}, 120_000);
