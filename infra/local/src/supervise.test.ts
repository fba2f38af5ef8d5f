import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { startService, supervise } from "./supervise.ts";

/** A part made of a script; `pids` has one entry for each time it was started. */
async function aPart(script: string) {
  const directory = await mkdtemp(join(tmpdir(), "supervise-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const main = join(directory, "main.ts");
  await writeFile(main, script);
  const logFile = join(directory, "main.log");
  const starts: number[] = [];
  const start = async () => {
    const running = await startService({ name: "part", main, env: { PART: "1" }, logFile });
    starts.push(starts.length);
    return running;
  };
  const told: string[] = [];
  for (const method of ["log", "error"] as const)
    vi.spyOn(console, method).mockImplementation((line) => void told.push(line));
  return { part: { name: "part", logFile, start }, starts, told };
}

const READY = `console.log('{"event":"ready"}');`;

test("a service that dies is named with the end of its log, and started again", async () => {
  const { part, starts, told } = await aPart(`
    import { existsSync, writeFileSync } from "node:fs";
    ${READY}
    const mark = import.meta.filename + ".died";
    if (existsSync(mark)) setInterval(() => {}, 1_000);
    else { writeFileSync(mark, ""); console.log("the reason"); }`);
  const { stop } = await supervise(part);
  onTestFinished(stop);
  await vi.waitUntil(() => told.includes("✓ part is up again"), { timeout: 20_000 });
  expect(starts).toHaveLength(2);
  expect(told[0]).toMatch(/^✗ part has ended\..*the reason/s);
});

test("a service that dies before it is ready is an error that shows its log, not a restart", async () => {
  const { part } = await aPart(`console.log("no database"); process.exit(1);`);
  await expect(supervise(part)).rejects.toThrow(/part ended while it was starting:\n.*no database/s);
});

test("a stop lets the service finish, and does not start it again", async () => {
  const { part, starts, told } = await aPart(`
    process.on("SIGTERM", () => { console.log("finished"); process.exit(0); });
    setInterval(() => {}, 1_000);
    ${READY}`);
  const { stop } = await supervise(part);
  await stop();
  expect([starts.length, told]).toEqual([1, []]);
});
