import { execFile, execFileSync } from "node:child_process";
import { mkdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "@collect/testing";

/** Disks of the servers' own, in memory, whose size can be cut to what is on them. */
export type Disks = {
  /** Leaves nothing free; answers with what gives the room back. */
  fill(server: "postgres" | "nats"): Promise<() => Promise<void>>;
  unmount(): Promise<void>;
};

/** Only what is used takes memory. NATS promises its streams no more than three quarters of what is free when it starts. */
const SIZE = "200g";
const run = promisify(execFile);

/** Undefined where this process may not mount. */
export async function mountDisks(directory: string): Promise<Disks | undefined> {
  const mounted: string[] = [];
  const unmountNow = () => {
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
    unmountNow();
    return undefined;
  }
  // Before anything is removed from below them.
  process.prependOnceListener("exit", unmountNow);
  return {
    async fill(server) {
      const path = join(directory, server);
      // More may be written between the two: what is smaller than its content is refused.
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
      process.off("exit", unmountNow);
      unmountNow();
    },
  };
}

const resize = async (path: string, size: string) => void (await run("mount", ["-o", `remount,size=${size}`, path]));
