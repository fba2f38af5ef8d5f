import { posix } from "node:path";
import { file, type Rule, type Source } from "./source.ts";

const isDocument = ({ path }: Source) => path.endsWith(".md");

export const links: Rule = {
  name: "a document links and names only files that exist",
  violations: (sources) => {
    const paths = new Set(sources.map(({ path }) => path));
    const exists = (path: string) => paths.has(path) || [...paths].some((other) => other.startsWith(`${path}/`));
    return sources.filter(isDocument).flatMap(({ path, text }) => {
      const linked = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)\s#]+)/g)].map(([, target = ""]) => target);
      const named = [...text.matchAll(/`([\w@.-]+(?:\/[\w.-]+)+\.(?:tsx?|mjs|sql|md))`/g)].map(([, name = ""]) => name);
      return [
        ...linked.filter((target) => !exists(posix.join(posix.dirname(path), target).replace(/\/$/, ""))),
        ...named.filter((name) => !foldersOf(path).some((folder) => exists(posix.join(folder, name)))),
      ].map((missing) => `${path} names ${missing}, which does not exist`);
    });
  },
  counterexamples: {
    "a link to a file that was moved": [
      file("README.md", "[the fee](services/a/src/fee.ts)"),
      file("services/a/fee.ts"),
    ],
    "a path that was renamed": [file("docs/services/a.md", "`src/domain/fee.ts`"), file("services/a/src/fee.ts")],
  },
};

/** What a path in a document may be relative to: the root, its own folder, and the sources of what it is about. */
function foldersOf(document: string): string[] {
  const folder = posix.dirname(document);
  const [, service] = document.match(/^docs\/services\/([\w-]+)\.md$/) ?? [];
  const about = service ? `services/${service}` : folder;
  return [".", folder, about, `${about}/src`];
}
