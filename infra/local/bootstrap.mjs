// npm start, test, reset, demo, seed, bench, chaos, fuzz, beside, drill, containers: installs a fresh clone and runs src/COMMAND.ts on Node 24;
// "install" only installs.
// Plain JavaScript without dependencies, because it runs before anything is installed, on Node 20 or later.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = join(HERE, "../..");
const PNPM = "pnpm@12.21.0";
const BIN = join(ROOT, "node_modules/.bin");
const STAMP = join(ROOT, "node_modules/.collect-installed");
const LOCK = join(ROOT, ".cache/installing");
const environment = {
  ...process.env,
  PATH: `${BIN}:${process.env.PATH}`,
  NODE_COMPILE_CACHE: join(ROOT, ".cache/compile-cache"),
};
/**
 * A dozen processes share one machine: npm start and all that it starts give memory back early, where in production they would keep
 * it for their next burst. docs/performance.md says what each of these saves. The compile cache is for one set of flags.
 */
const SMALL = JSON.parse(readFileSync(join(HERE, "small.json"), "utf8"));
const COMMANDS = [
  "start",
  "test",
  "reset",
  "demo",
  "seed",
  "bench",
  "chaos",
  "fuzz",
  "beside",
  "drill",
  "containers",
  "install",
];

const [command, ...args] = process.argv.slice(2);
if (!COMMANDS.includes(command)) stop(`usage: node infra/local/bootstrap.mjs ${COMMANDS.join("|")}`);
if (Number(process.versions.node.split(".")[0]) < 20) stop(`Node 20 or later is required; this is ${process.version}`);

process.chdir(ROOT);
const neverInstalls = command === "reset" && existsSync(join(BIN, "node"));
if (!neverInstalls) await exclusively(install);
if (command !== "install") runCommand();

/** Two commands may start concurrently in a fresh clone; the second waits until the first has installed. */
async function exclusively(work) {
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  for (let isNotified = false; !claim(); isNotified = true) {
    if (!isNotified) console.log("• waiting for another command to finish installing");
    await sleep(200);
  }
  const release = () => rmSync(LOCK, { force: true });
  process.once("exit", release);
  work();
  process.off("exit", release);
  release();
}

function claim() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (existsSync(LOCK) && !isAlive(Number(readFileSync(LOCK, "utf8")))) rmSync(LOCK, { force: true });
    return false;
  }
}

/** The file is empty if the machine went down while it was written. */
function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

function install() {
  const wanted = manifestHash();
  const installed = existsSync(STAMP) && readFileSync(STAMP, "utf8");
  if (installed !== wanted || !existsSync(join(BIN, "pnpm"))) {
    step("installing packages (one or two minutes the first time)");
    run("npx", ["--yes", PNPM, "install", "--frozen-lockfile", "--config.confirmModulesPurge=false"]);
    linkPnpm();
    writeFileSync(STAMP, wanted);
  }
  generate();
}

/** turbo runs every script with pnpm, which may not be installed: npx caches a copy, and this puts it on the PATH. */
function linkPnpm() {
  const { stdout } = spawnSync("npx", ["--yes", "--package", PNPM, "-c", "command -v pnpm"], { encoding: "utf8" });
  const cached = stdout.trim();
  const script = `#!/bin/sh\n[ -x "${cached}" ] && exec "${cached}" "$@"\nexec npx --yes ${PNPM} "$@"\n`;
  writeFileSync(join(BIN, "pnpm"), script, { mode: 0o755 });
}

/** Hashes every file that determines the installation. */
function manifestHash() {
  const folders = ["packages", "services", "infra"].flatMap((parent) =>
    existsSync(parent) ? readdirSync(parent).map((name) => join(parent, name)) : [],
  );
  const files = ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json"];
  files.push(
    ...[...folders, "services/dashboard/web", "tests"]
      .map((folder) => join(folder, "package.json"))
      .filter((file) => existsSync(file)),
  );
  const hash = createHash("sha256");
  for (const file of files.sort()) hash.update(file).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

/** Prisma's clients, the documentation site and the dashboard's pages; turbo rebuilds only those whose sources have changed. */
function generate() {
  const turbo = spawnSync(
    join(BIN, "turbo"),
    ["run", "generate", "@collect/dashboard-web#build", "--output-logs=errors-only"],
    { env: { ...environment, TURBO_TELEMETRY_DISABLED: "1" }, encoding: "utf8" },
  );
  if (turbo.status !== 0)
    stop(
      `generating the database clients or the documentation, or building the pages, failed:\n${turbo.stdout ?? ""}${turbo.stderr ?? ""}`,
    );
}

/**
 * The command runs in a process group of its own, so that Ctrl-C reaches it once, forwarded by this process and not by the terminal.
 * If this process is killed, the command's IPC channel closes, and it stops too. npm signals the shell that it runs this in, which may
 * die without passing the signal on: then this process gets another parent.
 */
function runCommand() {
  const { flags, malloc } = command === "start" ? SMALL : { flags: [], malloc: {} };
  const child = spawn(join(BIN, "node"), [...flags, join(HERE, "src", `${command}.ts`), ...args], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    detached: true,
    env: { ...environment, ...malloc },
  });
  let lastSignalAt = 0;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      // npm forwards a signal that the terminal has already sent.
      if (Date.now() - lastSignalAt > 500) child.kill(signal === "SIGHUP" ? "SIGTERM" : signal);
      lastSignalAt = Date.now();
    });
  }
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill("SIGTERM");
  }, 1_000).unref();
  child.on("error", (error) => stop(error.message));
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 1)));
}

function run(program, programArguments) {
  const { status, error } = spawnSync(program, programArguments, {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) stop(`${program} ${programArguments.join(" ")} failed${error ? `: ${error.message}` : ""}`);
}

function step(text) {
  console.log(`• ${text}`);
}

function stop(message) {
  console.error(message);
  process.exit(1);
}
