import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, portIsFree } from "@collect/servers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Demo } from "./files.ts";
import { GOING_LIVE, GUIDES, type Guide, type Command as Printing, readGuides, runGuide } from "./guides.ts";
import { internalPortOf, loadSettings, PROCESSES, ROOT } from "./settings.ts";

/** npm start, npm run demo and npm run reset from the command line, in a separate directory and on separate ports. */
const directory = await mkdtemp(join(tmpdir(), "collect-stack-"));
const variables = [
  "GATEWAY_PORT",
  "CHECKOUT_PORT",
  "DASHBOARD_PORT",
  "OPERATORS_PORT",
  "BANK_DOOR_PORT",
  "BANK_SIMULATOR_PORT",
  "RECEIVER_PORT",
  "MAILBOX_PORT",
  "MAILBOX_SMTP_PORT",
  "POSTGRES_PORT",
  "NATS_PORT",
  "INTERNAL_PORTS",
];
const ports: Record<string, string> = {};
// They have to be free again while the stack is down, and other suites open connections meanwhile.
for (const variable of variables) ports[variable] = String(await freePort());
ports.INTERNAL_PORTS = String(await freePort(PROCESSES.length));
const environment = { LOCAL_DIRECTORY: directory, DATABASE_URL: "", NATS_URL: "", LOG_LEVEL: "info", ...ports };

type Command = ReturnType<typeof command>;
const running = new Set<Command>();

function command(name: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`)], {
    env: { ...process.env, ...environment, ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  // Its output may end after the process.
  const exited = once(child, "close").then(([code]: number[]) => ({ code, output }));
  const started = {
    exited,
    interrupt: () => {
      child.kill("SIGINT");
      return exited;
    },
    /** Fails with the whole output if the command exits without printing it. */
    prints: (text: string) =>
      new Promise<void>((resolve, reject) => {
        const check = () => output.includes(text) && resolve();
        child.stdout.on("data", check);
        void exited.then(() => reject(new Error(`${name} exited without "${text}":\n${output}`)));
        check();
      }),
  };
  running.add(started);
  void exited.then(() => running.delete(started));
  return started;
}

let stack: Command;
beforeAll(async () => {
  stack = command("start");
  await stack.prints("The stack is up");
});
afterAll(async () => {
  for (const started of running) await started.interrupt();
  await rm(directory, { recursive: true, force: true });
});

const readDemo = () => Demo.strict().parse(JSON.parse(readFileSync(join(directory, "demo.json"), "utf8")));

test("demo.json contains the printed values and is readable by its owner only", () => {
  const demo = readDemo();
  expect(statSync(join(directory, "demo.json")).mode & 0o777).toBe(0o600);
  expect(demo).toMatchObject({
    base_url: `http://localhost:${ports.GATEWAY_PORT}/v1`,
    checkout_url: `http://localhost:${ports.CHECKOUT_PORT}`,
    dashboard_url: `http://localhost:${ports.DASHBOARD_PORT}`,
  });
  expect(Object.entries(demo.keys).every(([name, key]) => key.startsWith(`${name}_`))).toBe(true);
});

test("the API names its documentation, which is served", async () => {
  const { docs } = Object(await (await fetch(readDemo().base_url)).json());
  expect(docs).toBe(`http://localhost:${ports.GATEWAY_PORT}/docs`);
  expect(await (await fetch(docs)).text()).toContain("Your first collection");
});

test("the operators' pages are served at an address of their own", async () => {
  const page = await fetch(`http://localhost:${ports.OPERATORS_PORT}/`);
  expect(await page.text()).toContain("Operators · Collect");
  expect((await fetch(`http://localhost:${ports.OPERATORS_PORT}/api/merchants`)).status).toBe(401);
});

test("every process shows its state and its metrics on an internal port of its own", async () => {
  const settings = { ...loadSettings(), INTERNAL_PORTS: Number(ports.INTERNAL_PORTS) };
  for (const process of PROCESSES) {
    const read = (path: string) => fetch(`http://127.0.0.1:${internalPortOf(process, settings)}${path}`);
    expect(await (await read("/livez")).json(), process).toEqual({ status: "live" });
    expect(await (await read("/readyz")).json(), process).toMatchObject({ status: "ready" });
    expect(await (await read("/metrics")).text(), process).toContain("process_resident_memory_bytes");
  }
  const ledger = await fetch(`http://127.0.0.1:${internalPortOf("ledger", settings)}/metrics`);
  expect(await ledger.text()).toContain("collect_ledger_audit_age_seconds");
});

test("the README names the internal port of every process", () => {
  const { INTERNAL_PORTS } = loadSettings();
  const documented = PROCESSES.map((process, place) => `${process} ${INTERNAL_PORTS + place}`).join(", ");
  expect(readFileSync(join(ROOT, "infra/local/README.md"), "utf8")).toContain(documented);
});

test("the main flows succeed in both modes, over HTTP only", async () => {
  expect(await command("demo").exited).toMatchObject({
    code: 0,
    output: expect.stringContaining("All checks passed."),
  });
});

/** Where a reader of a guide would be: the commands of the repository, and the data of the stack. */
const reader = await mkdtemp(join(tmpdir(), "collect-reader-"));
for (const name of ["package.json", "node_modules", "infra"]) await symlink(join(ROOT, name), join(reader, name));
await symlink(directory, join(reader, ".local"));
afterAll(() => rm(reader, { recursive: true, force: true }));
const portOf = new Map([
  ["3000", String(await freePort())],
  ["4000", String(ports.GATEWAY_PORT)],
  ["4100", String(ports.CHECKOUT_PORT)],
  ["4400", String(ports.BANK_SIMULATOR_PORT)],
  ["4500", String(ports.RECEIVER_PORT)],
]);

async function expectGuideWorks(guide: Guide): Promise<void> {
  const printed = await runGuide(guide, { folder: reader, env: { ...process.env, ...environment } });
  for (const [index, command] of guide.commands.entries()) expectShown(command, printed[index] ?? "");
}

test.each(readGuides(GUIDES, portOf))(
  "every command of $name works, and prints what the guide shows",
  expectGuideWorks,
);

test("the guide of a bank of our own protocol can be rehearsed word by word", () => expectGoingLive("local"));

test("a day of the simulated bank closes word by word", () => expectGoingLive("closing-a-day"));

async function expectGoingLive(page: string): Promise<void> {
  const guide = readGuides(GOING_LIVE, portOf).find(({ name }) => name === `${page}.md`);
  if (!guide) throw new Error(`there is no guide ${page}`);
  await expectGuideWorks(guide);
}

/** What is shown of JSON has to be there, and `…` stands for anything. A refusal has to be shown. */
function expectShown({ text, shown }: Printing, printed: string): void {
  if (shown?.language === "json")
    expect(JSON.parse(printed), text).toMatchObject(Object(withGaps(JSON.parse(shown.text))));
  else if (shown) expect(printed, text).toBe(shown.text);
  else expect(printed, text).not.toContain('"code":');
}

function withGaps(shown: unknown): unknown {
  if (typeof shown === "string")
    return shown.includes("…") ? expect.stringContaining(shown.split("…")[0] ?? "") : shown;
  if (Array.isArray(shown))
    return shown.at(-1) === "…" ? expect.arrayContaining(shown.slice(0, -1)) : shown.map(withGaps);
  if (typeof shown !== "object" || shown === null) return shown;
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, withGaps(value)]));
}

test("a second start in the same directory is refused, and so is a reset", async () => {
  expect(await command("start").exited).toMatchObject({
    code: 1,
    output: expect.stringContaining("npm start is already running here"),
  });
  expect(await command("reset").exited).toMatchObject({
    code: 1,
    output: expect.stringContaining("npm start is running"),
  });
});

test("all taken ports are listed with the variables that change them, before anything is created", async () => {
  const elsewhere = join(directory, "elsewhere");
  const { code, output } = await command("start", { LOCAL_DIRECTORY: elsewhere }).exited;
  expect(code).toBe(1);
  for (const variable of variables)
    expect(output).toMatch(new RegExp(`port ${ports[variable]} is taken.*${variable}=`));
  expect(existsSync(elsewhere)).toBe(false);
});

/** What the demo prints with each partner. */
const PARTNERS = {
  providus: /Providus Bank.+ at Providus Bank for .+All checks passed\./s,
  monnify: /Monnify.+identity_required.+ at Moniepoint .+All checks passed\./s,
};

describe.each(["providus", "monnify"] as const)("%s as the partner bank", (bank) => {
  test("Ctrl-C stops everything; the next start keeps the merchant, keys and balances", async () => {
    const demo = readDemo();
    const before = await balanceOf(demo);
    expect(before.settled).toBeGreaterThan(0);
    expect(await stack.interrupt()).toMatchObject({ code: 0 });
    for (const variable of variables) expect(await portIsFree(Number(ports[variable])), variable).toBe(true);

    stack = command("start", { BANK: bank });
    await stack.prints("The stack is up");
    const { user, ...kept } = readDemo();
    expect({ ...kept, user: { ...user, sign_in_url: demo.user.sign_in_url } }).toEqual(demo);
    expect(user.sign_in_url).not.toBe(demo.user.sign_in_url);
    expect(await balanceOf(demo)).toEqual(before);
  });

  test("the main flows succeed, and live mode is in the partner's words", async () => {
    const output = expect.stringMatching(PARTNERS[bank]);
    expect(await command("demo").exited).toMatchObject({ code: 0, output });
  });

  test("its guide can be rehearsed word by word", () => expectGoingLive(bank));
});

test("a bank that is not there is refused with those that are", async () => {
  expect(await command("start", { BANK: "gtbank" }).exited).toMatchObject({
    code: 1,
    output: expect.stringContaining("BANK: has to be one of local, providus, monnify"),
  });
});

test("a reset deletes everything of a stack that was stopped", async () => {
  await stack.interrupt();
  expect(await command("reset").exited).toMatchObject({ code: 0 });
  expect(existsSync(directory)).toBe(false);
});

async function balanceOf({ base_url, keys }: Demo) {
  const response = await fetch(`${base_url}/balance`, { headers: { authorization: `Bearer ${keys.sk_test}` } });
  const { collected, settled } = Object(await response.json());
  return { status: response.status, collected, settled };
}
