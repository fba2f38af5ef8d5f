import { execFile } from "node:child_process";
import { appendFile, chmod, chown, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "@collect/testing";
import pg from "pg";
import type { Stack } from "../stack.ts";

const run = promisify(execFile);

/** A server that archives its WAL, each segment after at most ten seconds. Both commands run in its data directory. */
export const ARCHIVING = {
  archive_mode: "on",
  archive_command: "test ! -f ../archive/%f && cp %p ../archive/%f",
  archive_timeout: "10",
  max_connections: "200",
};
const RESTORE_COMMAND = "cp ../archive/%f %p";

/** A base backup and the WAL since, from which the whole server can be restored to any moment since. */
export type PhysicalBackup = {
  bytes: number;
  /** Returns once everything that is committed now is in the archive. */
  untilArchived(): Promise<void>;
  /** Replaces the data of the server, which is stopped, and starts it: it replays the archive to this moment. */
  restoreTo(moment: string): Promise<void>;
};

/** Of the stack's server, whose files are in `directory`, while it is in use. */
export async function takeBaseBackup(stack: Stack, directory: string): Promise<PhysicalBackup> {
  const [data, archive, base] = [join(directory, "data"), join(directory, "archive"), join(directory, "base.tar")];
  const { uid, gid } = await stat(data);
  await mkdir(archive);
  await chown(archive, uid, gid);
  await chmod(directory, 0o711);

  const client = await connect(stack.adminUrl);
  await client.query("select pg_backup_start('drill', fast => true)");
  await copyFiles(data, base);
  const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop()");
  await client.end();
  const label = rows[0]?.labelfile ?? "";

  async function own(name: string, content: string): Promise<void> {
    await writeFile(join(data, name), content, { mode: 0o600 });
    await chown(join(data, name), uid, gid);
  }

  return {
    bytes: (await stat(base)).size,
    untilArchived: () => untilArchived(stack.adminUrl),
    async restoreTo(moment) {
      await rm(data, { recursive: true });
      await mkdir(data, { mode: 0o700 });
      await chown(data, uid, gid);
      await run("tar", ["-x", "-f", base, "-C", data]);
      await own("backup_label", label);
      await own("recovery.signal", "");
      const target = `recovery_target_time = '${moment}'\nrecovery_target_action = 'promote'\n`;
      await appendFile(join(data, "postgresql.auto.conf"), `restore_command = '${RESTORE_COMMAND}'\n${target}`);
      await stack.startPostgres();
      await untilTrue(stack.adminUrl, "the server has replayed the archive", "not pg_is_in_recovery()");
    },
  };
}

/** What tar reports with 1 is that files changed or went away meanwhile, which the WAL makes good. */
async function copyFiles(data: string, base: string): Promise<void> {
  const excluded = ["./pg_wal/*", "./postmaster.pid", "./postmaster.opts", "./pg_replslot/*"];
  const options = ["-c", "-f", base, "-C", data, ...excluded.map((pattern) => `--exclude=${pattern}`), "."];
  await run("tar", options).catch((error) => {
    if (error.code !== 1) throw error;
  });
}

async function untilArchived(adminUrl: string): Promise<void> {
  const client = await connect(adminUrl);
  const { rows } = await client.query<{ last: string }>("select pg_walfile_name(pg_switch_wal()) as last");
  await client.end();
  const isThere = `(select last_archived_wal >= '${rows[0]?.last}' from pg_stat_archiver)`;
  await untilTrue(adminUrl, "the archive has everything", isThere);
}

async function untilTrue(adminUrl: string, what: string, condition: string): Promise<void> {
  const client = await connect(adminUrl);
  try {
    await until(
      what,
      async () => (await client.query(`select ${condition} as is_true`)).rows[0].is_true === true,
      300_000,
    );
  } finally {
    await client.end();
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}
