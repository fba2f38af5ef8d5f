import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A file of the house, by its path from the root. */
export type Source = { path: string; text: string };

/** A rule of the house: what breaks it, in sentences; and small houses that do, so that it is known to see them. */
export type Rule = { name: string; faults(sources: Source[]): string[]; broken: Record<string, Source[]> };

/** Everything that is committed or about to be. */
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

/** For examples: one file of one text. */
export const file = (path: string, text = ""): Source => ({ path, text });

const isText = (path: string) => !/\.(png|jpe?g|ico|woff2?|gz)$/.test(path);

export const isGenerated = (path: string) => /(^|\/)generated\/|(^|\/)schemas\//.test(path);
export const isCode = ({ path }: Source) => /\.(ts|tsx|mjs|js)$/.test(path) && !isGenerated(path);
export const isTest = ({ path }: Source) => /\.test\.tsx?$|(^|\/)tests?\/|^packages\/testing\//.test(path);
/** What runs in production: the sources of services and packages. */
export const isProduct = (source: Source) =>
  isCode(source) && !isTest(source) && /^(services|packages)\/[^/]+\/src\//.test(source.path);

/** The text without lines of comment, which may speak of anything. */
export const uncommented = ({ text }: Source) => text.replace(/^\s*(\*|\/\*|\/\/).*$/gm, "");

export const named = (sources: Source[], kind: "services" | "packages"): string[] => [
  ...new Set(sources.flatMap(({ path }) => path.match(new RegExp(`^${kind}/([^/]+)/`))?.[1] ?? [])),
];
