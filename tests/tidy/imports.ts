import { posix } from "node:path";
import ts from "typescript-api";
import { file, isProduct, type Rule, type Source } from "./source.ts";

/** What a file imports or passes on, types too: of the house by path, of a package by its name. */
export function importsOf({ path, text }: Source): { files: string[]; packages: string[] } {
  const specifiers = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  const isRelative = (specifier: string) => specifier.startsWith(".");
  return {
    files: specifiers.filter(isRelative).map((specifier) => posix.join(posix.dirname(path), specifier)),
    packages: specifiers.filter((specifier) => !isRelative(specifier)),
  };
}

export const noCircles: Rule = {
  name: "no file imports itself by way of others",
  faults(sources) {
    const graph = new Map(sources.filter(isProduct).map((source) => [source.path, importsOf(source).files]));
    return circlesIn(graph).map((circle) => circle.join(" → "));
  },
  broken: {
    "two files": [
      file("services/a/src/domain/one.ts", 'import { two } from "./two.ts";'),
      file("services/a/src/domain/two.ts", 'export { one } from "./one.ts";'),
    ],
    "three folders, by a type": [
      file("packages/a/src/x/one.ts", 'import type { Two } from "../y/two.ts";'),
      file("packages/a/src/y/two.ts", 'import { three } from "../z/three.ts";'),
      file("packages/a/src/z/three.ts", 'const one = await import("../x/one.ts");'),
    ],
  },
};

/** One circle for each file that closes one, walking depth first. */
function circlesIn(graph: ReadonlyMap<string, string[]>): string[][] {
  const done = new Set<string>();
  const circles: string[][] = [];
  const walk = (path: string, way: string[]): void => {
    const at = way.indexOf(path);
    if (at >= 0) circles.push([...way.slice(at), path]);
    if (at >= 0 || done.has(path)) return;
    for (const next of graph.get(path) ?? []) walk(next, [...way, path]);
    done.add(path);
  };
  for (const path of graph.keys()) walk(path, []);
  return circles;
}
