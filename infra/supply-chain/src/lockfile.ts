import { parse } from "yaml";
import { z } from "zod";

/**
 * Packages of a lockfile that are not pinned by the hash of their content, or come from anywhere but the registry. The
 * installation compares the hashes, so an attacker who controls the registry or the way to it cannot change a package.
 */
export function unpinned(lockfile: string): string[] {
  return Object.entries(Lockfile.parse(parse(lockfile)).packages)
    .filter(
      ([, { resolution }]) => !/^sha512-[\w+/]{86}==$/.test(resolution.integrity ?? "") || "tarball" in resolution,
    )
    .map(([name]) => name);
}

const Lockfile = z.object({
  packages: z.record(z.string(), z.object({ resolution: z.looseObject({ integrity: z.string().optional() }) })),
});
