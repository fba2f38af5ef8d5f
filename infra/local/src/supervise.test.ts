import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { startService, supervise } from "./supervise.ts";

/** A component that runs a script; `starts` has one entry per start. */
async function aComponent(script: string) {
  const directory = await mkdtemp(join(tmpdir(), "supervise-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const main = join(directory, "main.ts");
  await writeFile(main, script);
  const logFile = join(directory, "main.log");
  const starts: number[] = [];
  const start = async () => {
    const running = await startService({ name: "component", main, env: { COMPONENT: "1" }, logFile });
    starts.push(starts.length);
    return running;
  };
  const printed: string[] = [];
  for (const method of ["log", "error"] as const)
    vi.spyOn(console, method).mockImplementation((line) => void printed.push(line));
  return { component: { name: "component", logFile, start }, starts, printed };
}

const READY = `console.log('{"event":"ready"}');`;

test("a service that exits is reported with the end of its log, and restarted", async () => {
  const { component, starts, printed } = await aComponent(`
    import { existsSync, writeFileSync } from "node:fs";
    ${READY}
    const mark = import.meta.filename + ".died";
    if (existsSync(mark)) setInterval(() => {}, 1_000);
    else { writeFileSync(mark, ""); console.log("the reason"); }`);
  const { stop } = await supervise(component);
  onTestFinished(stop);
  await vi.waitUntil(() => printed.includes("✓ component is running again"), { timeout: 20_000 });
  expect(starts).toHaveLength(2);
  expect(printed[0]).toMatch(/^✗ component exited\..*the reason/s);
});

test("a service that exits before it is ready is an error with its log, not a restart", async () => {
  const { component } = await aComponent(`console.log("no database"); process.exit(1);`);
  await expect(supervise(component)).rejects.toThrow(/component ended while it was starting:\n.*no database/s);
});

test("a stop lets the service finish and does not restart it", async () => {
  const { component, starts, printed } = await aComponent(`
    process.on("SIGTERM", () => { console.log("finished"); process.exit(0); });
    setInterval(() => {}, 1_000);
    ${READY}`);
  const { stop } = await supervise(component);
  await stop();
  expect([starts.length, printed]).toEqual([1, []]);
});
