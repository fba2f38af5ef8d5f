import { execFileSync } from "node:child_process";
import { z } from "zod";
import { ROOT } from "./tree.ts";

/** A package of the registry that runs in production. */
export type Component = { name: string; version: string; license: string; sha512: string | undefined };

/** Every package that a production process can load and pages contain, from the lockfile and the installed packages, by name and version. */
export function productionComponents(): Component[] {
  const command = [
    "sbom",
    "--sbom-format",
    "cyclonedx",
    "--prod",
    "--filter",
    "./services/**",
    "--filter",
    "./infra/docker",
  ];
  const bill = Bill.parse(
    JSON.parse(execFileSync("pnpm", command, { cwd: ROOT, maxBuffer: 64 * 1024 ** 2 }).toString()),
  );
  return bill.components
    .filter(({ name, group }) => ![group, name].some((text) => text?.startsWith("@collect")))
    .map(({ group, name, version, licenses, externalReferences }) => ({
      name: group ? `${group}/${name}` : name,
      version,
      license:
        licenses.map((entry) => entry.expression ?? entry.license?.id ?? entry.license?.name).join(" AND ") ||
        (IN_THEIR_FILES[name] ?? ""),
      sha512: externalReferences.flatMap(({ hashes }) => hashes).find(({ alg }) => alg === "SHA-512")?.content,
    }))
    .toSorted((one, other) => compare(one.name, other.name) || compare(one.version, other.version));
}

/** Packages whose license is only in their LICENSE file. */
const IN_THEIR_FILES: Record<string, string> = { "png-js": "MIT", "seq-queue": "MIT" };

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** The part of CycloneDX that is read here. */
const Bill = z.object({
  components: z.array(
    z.object({
      group: z.string().optional(),
      name: z.string(),
      version: z.string(),
      licenses: z
        .array(
          z.object({
            expression: z.string().optional(),
            license: z.object({ id: z.string().optional(), name: z.string().optional() }).optional(),
          }),
        )
        .default([]),
      externalReferences: z
        .array(z.object({ hashes: z.array(z.object({ alg: z.string(), content: z.string() })).default([]) }))
        .default([]),
    }),
  ),
});
