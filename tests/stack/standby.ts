import { execFile } from "node:child_process";
import { readdir, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort, type PostgresServer, startPostgres } from "@collect/servers";
import { until } from "@collect/testing";
import pg from "pg";
import type { Postgres } from "./servers.ts";
import { copyTemplate, UNSAFE } from "./template.ts";

/** A primary and its synchronous standby, at one address that leads to the primary. */
export type Replicated = Postgres & {
  /** Kills the primary, promotes the standby, and moves the address to it. */
  failOver(): Promise<void>;
};

const STANDBY = "standby";

export async function openReplicated(directory: string, tree: string): Promise<Replicated> {
  const folders = { primary: join(directory, "primary"), standby: join(directory, STANDBY) };
  await copyTemplate(folders.primary, tree);
  const primary = await startPostgres({ directory: folders.primary, port: await freePort(), settings: UNSAFE });
  await copyCluster(primary, folders);
  const standby = await startPostgres({
    directory: folders.standby,
    port: await freePort(),
    settings: { ...UNSAFE, primary_conninfo: conninfo(primary), primary_slot_name: STANDBY },
  });
  await asAdmin(primary, async (admin) => {
    // A commit is answered once the standby has it on its disk, too; nobody reads there, so it need not have applied it.
    await admin.query("alter system set synchronous_commit = 'on'");
    await admin.query(`alter system set synchronous_standby_names = '${STANDBY}'`);
    await admin.query("select pg_reload_conf()");
    await until("the standby is synchronous", async () => {
      const { rows } = await admin.query("select sync_state from pg_stat_replication");
      return rows[0]?.sync_state === "sync";
    });
  });
  const address = await openAddress(primary);
  return {
    url: address.url,
    start: async () => {},
    async stop() {
      await address.close();
      await Promise.all([primary, standby].map((server) => server.stop({ immediate: true })));
    },
    async failOver() {
      process.kill(primary.pid, "SIGKILL");
      await primary.exited;
      await asAdmin(standby, async (admin) => void (await admin.query("select pg_promote()")));
      address.moveTo(standby);
    },
  };
}

/** What `pg_basebackup` does, which the embedded server lacks. */
async function copyCluster(primary: PostgresServer, folders: { primary: string; standby: string }): Promise<void> {
  const data = join(folders.standby, "data");
  await asAdmin(primary, async (admin) => {
    await admin.query("select pg_create_physical_replication_slot($1, true)", [STANDBY]);
    await admin.query("select pg_backup_start($1, true)", [STANDBY]);
    // The cluster may be owned by a different user from the one running the tests.
    await promisify(execFile)("cp", ["-a", folders.primary, folders.standby]);
    const { rows } = await admin.query("select labelfile from pg_backup_stop()");
    await writeFile(join(data, "backup_label"), rows[0].labelfile);
  });
  await writeFile(join(data, "standby.signal"), "");
  await rm(join(data, "postmaster.pid"));
  for (const folder of ["pg_wal", "pg_replslot"])
    for (const name of await readdir(join(data, folder))) await rm(join(data, folder, name), { recursive: true });
  await promisify(execFile)("chown", ["-R", "--reference", join(folders.primary, "data"), data]);
}

function conninfo({ url, port }: PostgresServer): string {
  const { username, password } = new URL(url);
  return `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=${STANDBY}`;
}

async function asAdmin(server: PostgresServer, work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await work(admin).finally(() => admin.end());
}

/** A port that leads to one server and can be moved to another, as a virtual address or a service's name does. */
async function openAddress(first: PostgresServer) {
  let { port } = first;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect({ host: "127.0.0.1", port });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.pipe(other);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  const own = await freePort();
  await new Promise<void>((resolve) => server.listen(own, "127.0.0.1", resolve));
  const url = new URL(first.url);
  url.port = String(own);
  return {
    url: url.href,
    moveTo(next: PostgresServer) {
      ({ port } = next);
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
