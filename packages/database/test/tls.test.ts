import { chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@collect/runtime";
import { createAuthority, startPostgres } from "@collect/servers";
import { expect, onTestFinished, test } from "vitest";
import { createPool, migrate, openLogin, provision } from "../src/index.ts";

/** A server that only accepts encrypted connections, with a certificate for this name. */
async function anEncryptedServer(name: string) {
  const directory = await mkdtemp(join(tmpdir(), "collect-tls-"));
  const authority = await createAuthority(directory);
  const { certificate, key } = await authority.certify(name);
  const start = (port: number, settings: Record<string, string> = {}) =>
    startPostgres({ directory, port, settings: { fsync: "off", ...settings } });
  const first = await start(0);
  await first.stop();
  const data = join(directory, "data");
  const { uid, gid } = await stat(data);
  await writeFile(join(data, "server.crt"), certificate);
  await writeFile(join(data, "server.key"), key, { mode: 0o600 });
  for (const file of ["server.crt", "server.key"]) await chown(join(data, file), uid, gid);
  const rules = await readFile(join(data, "pg_hba.conf"), "utf8");
  await writeFile(join(data, "pg_hba.conf"), rules.replaceAll(/^host /gm, "hostssl "));
  const postgres = await start(first.port, { ssl: "on" });
  onTestFinished(async () => {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  });
  /** As an operator writes it, with the path of the authority's certificate. */
  const url = (host: string, sslmode?: string, ca = authority.file) => {
    const address = new URL(postgres.url);
    address.hostname = host;
    if (sslmode) address.search = new URLSearchParams({ sslmode, sslrootcert: ca }).toString();
    return address.href;
  };
  return { directory, url };
}

/** The protocol of a connection of a service's pool. */
async function connect(url: string): Promise<string> {
  const pool = createPool({ url, service: "test", log: createLogger("database", "silent"), max: 1 });
  onTestFinished(() => pool.end());
  const { rows } = await pool.query("select version from pg_stat_ssl where pid = pg_backend_pid() and ssl");
  return rows[0].version;
}

test("with sslmode=verify-full services connect encrypted, and databases are made and migrated", async () => {
  const { directory, url } = await anEncryptedServer("localhost");
  const admin = url("localhost", "verify-full");
  expect(await connect(admin)).toMatch(/^TLSv1\.[23]$/);
  const { owner } = await provision(admin, "encrypted");
  await openLogin(admin, "encrypted", { role: "collect_encrypted_a", password: "a password" });
  const prisma = join(directory, "prisma");
  await mkdir(join(prisma, "migrations/1_rows"), { recursive: true });
  await writeFile(join(prisma, "migrations/1_rows/migration.sql"), "create table rows (id text);");
  await writeFile(join(prisma, "schema.prisma"), 'datasource db {\n  provider = "postgresql"\n}\n');
  expect(await migrate({ url: owner, directory: prisma })).toEqual(["1_rows"]);
});

test("a server is refused whose certificate another authority signed, or that is for another name", async () => {
  const { directory, url } = await anEncryptedServer("db.example");
  const stranger = await createAuthority(join(directory, "stranger"));
  await expect(connect(url("localhost", "verify-full", stranger.file))).rejects.toThrow(/certificate/);
  await expect(connect(url("localhost", "verify-full"))).rejects.toThrow("does not match certificate");
});

test("an address is compared with the certificate, too: one for another name is refused", async () => {
  const { url } = await anEncryptedServer("localhost");
  await expect(connect(url("127.0.0.1", "verify-full"))).rejects.toThrow("does not match certificate");
});

test("neither side falls back to plaintext: the server refuses it, and a service refuses a server without TLS", async () => {
  const { url } = await anEncryptedServer("localhost");
  await expect(connect(url("localhost"))).rejects.toThrow("no encryption");

  const directory = await mkdtemp(join(tmpdir(), "collect-plain-"));
  const plain = await startPostgres({ directory, port: 0, settings: { fsync: "off" } });
  onTestFinished(async () => {
    await plain.stop();
    await rm(directory, { recursive: true, force: true });
  });
  await expect(connect(`${plain.url}?sslmode=verify-full`)).rejects.toThrow("does not support SSL");
});
