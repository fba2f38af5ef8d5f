import { chown, open } from "node:fs/promises";

/** PostgreSQL refuses to run as root. In that case it runs as `nobody`, so that no user is added to the machine. */
export const runsAsNobody = process.getuid?.() === 0;
const NOBODY = 65_534;

/** The spawn options of a PostgreSQL process, and the path by which it reaches its directory. */
export type Access = {
  path: string;
  spawn: { uid?: number; gid?: number; cwd?: string };
  /** Descriptors that the process inherits, numbered from 3. */
  descriptors: number[];
};

/**
 * `nobody` may have no access to the folders above the directory, for example root's home. So the directory is opened here and
 * inherited as a descriptor, which gives access without traversing them. No folder's permissions are changed, and
 * PostgreSQL gets no capability.
 */
export async function withAccess<Result>(
  directory: string,
  work: (access: Access) => Promise<Result>,
): Promise<Result> {
  if (!runsAsNobody) return work({ path: directory, spawn: {}, descriptors: [] });
  const spawn = { uid: NOBODY, gid: NOBODY, cwd: "/" };
  // Only Linux can open paths below a descriptor.
  if (process.platform !== "linux") return work({ path: directory, spawn, descriptors: [] });
  const handle = await open(directory);
  try {
    return await work({ path: "/proc/self/fd/3", spawn, descriptors: [handle.fd] });
  } finally {
    await handle.close();
  }
}

/** Changes the owner of a file or directory to the user that PostgreSQL runs as. */
export async function giveToPostgres(path: string): Promise<void> {
  if (runsAsNobody) await chown(path, NOBODY, NOBODY);
}
