import { posix } from "node:path";
import ts from "typescript-api";
import { file, isCode, type Rule, type Source } from "./source.ts";

/** The imports and re-exports of a file, types included: files of this repository by path, packages by name. */
export function importsOf({ path, text }: Source): { files: string[]; packages: string[] } {
  const specifiers = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  const isRelative = (specifier: string) => specifier.startsWith(".");
  return {
    files: specifiers.filter(isRelative).map((specifier) => posix.join(posix.dirname(path), specifier)),
    packages: specifiers.filter((specifier) => !isRelative(specifier)),
  };
}

export const noCycles: Rule = {
  name: "no import cycles between files",
  violations(sources) {
    const graph = new Map(sources.filter(isCode).map((source) => [source.path, importsOf(source).files]));
    return cyclesIn(graph).map((cycle) => cycle.join(" → "));
  },
  counterexamples: {
    "two files": [
      file("services/a/src/domain/one.ts", 'import { two } from "./two.ts";'),
      file("services/a/src/domain/two.ts", 'export { one } from "./one.ts";'),
    ],
    "three folders, through a type import": [
      file("packages/a/src/x/one.ts", 'import type { Two } from "../y/two.ts";'),
      file("packages/a/src/y/two.ts", 'import { three } from "../z/three.ts";'),
      file("packages/a/src/z/three.ts", 'const one = await import("../x/one.ts");'),
    ],
    "two files that tests share": [
      file("tests/stack/one.ts", 'import { two } from "./two.ts";'),
      file("tests/stack/two.ts", 'import type { One } from "./one.ts";'),
    ],
  },
};

/** One cycle for each file that closes one, in a depth-first walk. */
function cyclesIn(graph: ReadonlyMap<string, string[]>): string[][] {
  const done = new Set<string>();
  const cycles: string[][] = [];
  const walk = (path: string, ancestors: string[]): void => {
    const at = ancestors.indexOf(path);
    if (at >= 0) cycles.push([...ancestors.slice(at), path]);
    if (at >= 0 || done.has(path)) return;
    for (const next of graph.get(path) ?? []) walk(next, [...ancestors, path]);
    done.add(path);
  };
  for (const path of graph.keys()) walk(path, []);
  return cycles;
}
