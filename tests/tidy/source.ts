import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A file of the repository, by its path from the root. */
export type Source = { path: string; text: string };

/** A rule: its violations, as sentences, and small source trees that break it, as proof that it detects them. */
export type Rule = { name: string; violations(sources: Source[]): string[]; counterexamples: Record<string, Source[]> };

/** All files that are committed or not ignored. */
export function readTree(root: string): Source[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  return listed
    .split("\n")
    .filter((path) => path && existsSync(join(root, path)))
    .map((path) => ({ path, text: isText(path) ? readFileSync(join(root, path), "utf8") : "" }));
}

/** One file of a counterexample. */
export const file = (path: string, text = ""): Source => ({ path, text });

const isText = (path: string) => !/\.(png|jpe?g|ico|woff2?|gz)$/.test(path);

export const isGenerated = (path: string) => /(^|\/)generated\/|(^|\/)schemas\//.test(path);
export const isCode = ({ path }: Source) => /\.(ts|tsx|mjs|js)$/.test(path) && !isGenerated(path);
export const isTest = ({ path }: Source) => /\.test\.tsx?$|(^|\/)tests?\/|^packages\/testing\//.test(path);
/** The code that runs in production: the sources of services and packages. */
export const isProduct = (source: Source) =>
  isCode(source) && !isTest(source) && /^(services|packages)\/[^/]+\/src\//.test(source.path);

/** The text without comment lines, which may mention anything. */
export const uncommented = ({ text }: Source) => text.replace(/^\s*(\*|\/\*|\/\/).*$/gm, "");

export const named = (sources: Source[], kind: "services" | "packages"): string[] => [
  ...new Set(sources.flatMap(({ path }) => path.match(new RegExp(`^${kind}/([^/]+)/`))?.[1] ?? [])),
];
