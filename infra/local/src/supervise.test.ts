import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@collect/servers";
import { expect, onTestFinished, test, vi } from "vitest";
import { startService, supervise } from "./supervise.ts";

/** A component that runs a script, which may serve its liveness on PORT; `starts` has one entry per start. */
async function aComponent(script: string) {
  const directory = await mkdtemp(join(tmpdir(), "supervise-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const main = join(directory, "main.ts");
  await writeFile(main, script);
  const logFile = join(directory, "main.log");
  const starts: number[] = [];
  const port = await freePort();
  const livez = script.includes("PORT") ? `http://127.0.0.1:${port}/livez` : undefined;
  const start = async () => {
    const running = await startService({ name: "component", main, env: { PORT: String(port) }, logFile, livez });
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

/** Answers its n-th call by what the expression says, and counts them in its log. */
const serves = (answer: string) => `
  import { existsSync, writeFileSync } from "node:fs";
  import { createServer } from "node:http";
  let n = 0;
  const mark = import.meta.filename + ".hung";
  const server = createServer((request, response) => { n++; console.log("call " + n); ${answer} });
  server.listen(Number(process.env.PORT), "127.0.0.1", () => { ${READY} });`;

test("a service that hangs is killed, reported and restarted", async () => {
  // It has answered before: then it stops as under SIGSTOP, and its sockets stay open.
  const { component, starts, printed } = await aComponent(
    serves(`
      if (n > 2 && !existsSync(mark)) { writeFileSync(mark, ""); process.kill(process.pid, "SIGSTOP"); }
      response.end();`),
  );
  const { stop } = await supervise(component, { everyMs: 500, times: 3 });
  onTestFinished(stop);
  await vi.waitUntil(() => printed.includes("✓ component is running again"), { timeout: 20_000 });
  expect(starts).toHaveLength(2);
  expect(printed.slice(0, 2)).toEqual([
    "✗ component has not answered for 1.5 s and is killed",
    expect.stringMatching(/^✗ component exited/),
  ]);
});

test("a service that answers now and then is left alone", async () => {
  const { component, starts, printed } = await aComponent(
    serves("if (n % 3 === 0) response.end(); else response.destroy();"),
  );
  const { stop } = await supervise(component, { everyMs: 300, times: 3 });
  onTestFinished(stop);
  await vi.waitUntil(() => readFileSync(component.logFile, "utf8").includes("call 15"), { timeout: 20_000 });
  expect([starts.length, printed]).toEqual([1, []]);
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
