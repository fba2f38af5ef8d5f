import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startPostgres } from "./index.ts";
import { postgresBinaries } from "./postgres-binaries.ts";
import { withAccess } from "./postgres-user.ts";

const settings = { fsync: "off" };

async function anEmptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "postgres-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query({ text: sql, rowMode: "array" });
  await client.end();
  return rows.flat();
}

test("data survives a clean and an immediate stop, on the same directory and port", async () => {
  const directory = await anEmptyDirectory();
  const first = await startPostgres({ directory, port: 0, settings });
  await query(first.url, "create table kept as select 1 as row");
  await first.stop();

  const second = await startPostgres({ directory, port: first.port, settings });
  expect(second.url).toBe(first.url);
  await query(second.url, "insert into kept values (2)");
  await second.stop({ immediate: true });
  await expect(query(second.url, "select 1")).rejects.toThrow("ECONNREFUSED");

  const third = await startPostgres({ directory, port: first.port, settings });
  onTestFinished(() => third.stop());
  expect(await query(third.url, "select row from kept order by row")).toEqual([1, 2]);
});

test("it is PostgreSQL 18 with the given settings, on loopback only, and requires a password", async () => {
  const server = await startPostgres({
    directory: await anEmptyDirectory(),
    port: 0,
    settings: { ...settings, max_connections: "37" },
  });
  onTestFinished(() => server.stop());
  const shown =
    "select current_setting('server_version_num')::int / 10000, current_setting('listen_addresses'), current_setting('max_connections')";
  expect(await query(server.url, shown)).toEqual([18, "127.0.0.1", "37"]);
  const stranger = new URL(server.url);
  stranger.password = "wrong";
  await expect(query(stranger.href, "select 1")).rejects.toThrow("password authentication failed");
});

test("it starts below a folder that only its owner can enter, without additional privileges", async () => {
  const closed = await anEmptyDirectory();
  const directory = join(closed, "clone/.local/postgres");
  await mkdir(directory, { recursive: true });
  const server = await startPostgres({ directory, port: 0, settings });
  onTestFinished(() => server.stop());
  expect(await query(server.url, "select 1")).toEqual([1]);
  expect((await stat(closed)).mode & 0o777).toBe(0o700);
  expect((await stat(join(directory, "data"))).mode & 0o777).toBe(0o700);
  const status = await readFile(`/proc/${server.pid}/status`, "utf8").catch(() => "Uid:\t1\nCapEff:\t0\n");
  expect(status).toMatch(/^Uid:\t[1-9]/m);
  expect(status).toMatch(/^CapEff:\t0+$/m);
});

test("its user can execute the binaries, even if several copies are made concurrently", async () => {
  const cache = await anEmptyDirectory();
  await chmod(cache, 0o755);
  const [{ postgres }, other] = await Promise.all([postgresBinaries(cache), postgresBinaries(cache)]);
  expect(other.postgres).toBe(postgres);
  const { stdout } = await withAccess(cache, (access) => promisify(execFile)(postgres, ["--version"], access.spawn));
  expect(stdout).toContain("(PostgreSQL) 18");
});

test("a port in use is refused with an error that names it, before anything is created", async () => {
  const squatter = createServer().listen(0, "127.0.0.1");
  await once(squatter, "listening");
  onTestFinished(() => void squatter.close());
  const address = squatter.address();
  const port = typeof address === "object" && address ? address.port : 0;
  await expect(startPostgres({ directory: await anEmptyDirectory(), port })).rejects.toThrow(
    `port ${port} of 127.0.0.1 is in use`,
  );
});

test("a server that cannot start reports the reason", async () => {
  const wrong = startPostgres({
    directory: await anEmptyDirectory(),
    port: 0,
    settings: { ...settings, max_connections: "many" },
  });
  await expect(wrong).rejects.toThrow(/ended while it was starting:.*max_connections/s);
});

test("a killed server recovers, and a running one is not started twice", async () => {
  const directory = await anEmptyDirectory();
  const first = await startPostgres({ directory, port: 0, settings });
  await expect(startPostgres({ directory, port: first.port, settings })).rejects.toThrow("is in use");
  await query(first.url, "create table kept as select 1 as row");
  process.kill(first.pid, "SIGKILL");
  await first.exited;

  const second = await startPostgres({ directory, port: 0, settings });
  onTestFinished(() => second.stop());
  expect(await query(second.url, "select row from kept")).toEqual([1]);
});

test("a server does not outlive its parent, even a killed one, and its directory can be reused immediately", async () => {
  const directory = await anEmptyDirectory();
  const script = `import { startPostgres } from ${JSON.stringify(new URL("./index.ts", import.meta.url).href)};
    const server = await startPostgres({ directory: ${JSON.stringify(directory)}, port: 0, settings: { fsync: "off" } });
    console.log(server.url);
    setInterval(() => {}, 1_000);`;
  const parent = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(parent.stdout, "data");
  const url = String(line).trim();
  expect(await query(url, "select 1")).toEqual([1]);
  parent.kill("SIGKILL");
  await once(parent, "exit");

  const next = await startPostgres({ directory, port: 0, settings });
  onTestFinished(() => next.stop());
  await expect(query(url, "select 1")).rejects.toThrow("ECONNREFUSED");
});
