import { chown, open } from "node:fs/promises";

/** PostgreSQL refuses to run as root; there it runs as nobody, and no user is added to the machine. */
export const runsAsNobody = process.getuid?.() === 0;
const NOBODY = 65_534;

/** What a process of PostgreSQL is spawned with, and the path by which it reaches the directory that it works on. */
export type Access = {
  path: string;
  spawn: { uid?: number; gid?: number; cwd?: string };
  /** Descriptors that the process inherits, from 3 on. */
  descriptors: number[];
};

/**
 * Nobody may be unable to enter the folders above the directory: root's home, for one, is root's alone. So the directory is
 * opened here and inherited as a descriptor, through which it is reached without passing them. No folder's permissions are
 * changed, and PostgreSQL gets no capability.
 */
export async function withAccess<Result>(
  directory: string,
  work: (access: Access) => Promise<Result>,
): Promise<Result> {
  if (!runsAsNobody) return work({ path: directory, spawn: {}, descriptors: [] });
  const spawn = { uid: NOBODY, gid: NOBODY, cwd: "/" };
  // Only Linux opens what is below a descriptor.
  if (process.platform !== "linux") return work({ path: directory, spawn, descriptors: [] });
  const handle = await open(directory);
  try {
    return await work({ path: "/proc/self/fd/3", spawn, descriptors: [handle.fd] });
  } finally {
    await handle.close();
  }
}

/** Gives a file or directory to the user that PostgreSQL runs as. */
export async function giveToPostgres(path: string): Promise<void> {
  if (runsAsNobody) await chown(path, NOBODY, NOBODY);
}
