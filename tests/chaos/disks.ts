import { execFile, execFileSync } from "node:child_process";
import { mkdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "@collect/testing";

/** In-memory disks of the servers, whose size can be reduced to their content. */
export type Disks = {
  /** Leaves no free space; returns a function that restores the size. */
  fill(server: "postgres" | "nats"): Promise<() => Promise<void>>;
  unmount(): Promise<void>;
};

/** Only used space takes memory. NATS reserves at most three quarters of the free space at its start for streams. */
const SIZE = "200g";
const run = promisify(execFile);

/** Undefined if this process lacks the permission to mount. */
export async function mountDisks(directory: string): Promise<Disks | undefined> {
  const mounted: string[] = [];
  const unmountAll = () => {
    for (const path of mounted.splice(0)) execFileSync("umount", ["--lazy", path]);
  };
  try {
    for (const server of ["postgres", "nats"]) {
      const path = join(directory, server);
      await mkdir(path);
      await run("mount", ["-t", "tmpfs", "-o", `size=${SIZE},mode=0755`, "tmpfs", path]);
      mounted.push(path);
    }
  } catch {
    unmountAll();
    return undefined;
  }
  // Before their directories are removed.
  process.prependOnceListener("exit", unmountAll);
  return {
    async fill(server) {
      const path = join(directory, server);
      // The server may write between the two calls; a size below the content is refused.
      await until(`${server}'s disk is full`, async () => {
        const { blocks, bfree, bsize } = await statfs(path);
        return resize(path, String((blocks - bfree) * bsize)).then(
          () => true,
          () => false,
        );
      });
      return () => resize(path, SIZE);
    },
    async unmount() {
      process.off("exit", unmountAll);
      unmountAll();
    },
  };
}

const resize = async (path: string, size: string) => void (await run("mount", ["-o", `remount,size=${size}`, path]));
