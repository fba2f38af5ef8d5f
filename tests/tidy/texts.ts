import { file, isCode, isGenerated, isTest, type Rule, type Source, uncommented } from "./source.ts";

/** The rules and their broken examples say what they look for. */
const isRule = ({ path }: Source) => /^tests\/tidy[./]/.test(path);

/** Files whose text, but for comments, has what it must not have. */
function having(pattern: RegExp, where: (source: Source) => boolean): Rule["faults"] {
  return (sources) =>
    sources
      .filter((source) => !isRule(source) && where(source))
      .flatMap((source) => {
        const found = uncommented(source).match(pattern)?.[0];
        return found === undefined ? [] : [`${source.path} has ${found.trim()}`];
      });
}

const CONFIGURES =
  /(^|\/)(config|settings)\.ts$|\.config\.ts$|^packages\/runtime\/src\/failpoint\.ts$|^packages\/servers\/|^infra\/|^tests\//;

export const environment: Rule = {
  name: "the environment is read in configuration only",
  faults: having(/process\.env/, (source) => isCode(source) && !isTest(source) && !CONFIGURES.test(source.path)),
  broken: { "a handler": [file("services/a/src/handlers/b.ts", "const url = process.env.URL;")] },
};

export const holes: Rule = {
  name: "no stubs, no mocks of our own code, no skipped tests, no holes in the types",
  faults: having(
    /TODO|FIXME|vi\.mock\(|\b(it|test|describe)\.(skip|only|todo)\b|@ts-(ignore|expect-error)|: any\b|as any\b/,
    isCode,
  ),
  broken: {
    "a stub": [file("services/a/src/b.ts", "throw new Error('TODO');")],
    "a mock": [file("services/a/test/b.test.ts", 'vi.mock("../src/b.ts");')],
    "a skipped test": [file("services/a/test/b.test.ts", 'test.skip("b", () => {});')],
    any: [file("packages/a/src/b.ts", "export const b = (c: any) => c;")],
  },
};

export const waits: Rule = {
  name: "no test waits for a time, and none is tried again",
  faults: having(/retry: [1-9]|setTimeout\((resolve|done)\b/, ({ path }) => /\.test\.tsx?$/.test(path)),
  broken: {
    "a sleep": [file("services/a/test/b.test.ts", "await new Promise((resolve) => setTimeout(resolve, 5));")],
    "a second try": [file("services/a/test/b.test.tsx", 'test("b", { retry: 2 }, () => {});')],
  },
};

export const machines: Rule = {
  name: "no registry and no path of a machine is named",
  faults: having(
    /registry\.npmjs\.org|\/work\/|\/root\//,
    ({ path }) => /\.(tsx?|mjs|json|ya?ml|md|sh|sql)$|Dockerfile|\.ci\/run/.test(path) && !isGenerated(path),
  ),
  broken: { "somebody's home": [file("docs/a.md", "see /root/notes")] },
};

export const migrations: Rule = {
  name: "a migration grants the service its tables, and no right to its history",
  faults: (sources) =>
    sources
      .filter(({ path }) => path.endsWith("migration.sql"))
      .flatMap(({ path, text }) => [
        ...(/create (unlogged )?table/.test(text) && !text.includes(`to collect_${path.split("/")[1]}`)
          ? [`${path} grants the service nothing`]
          : []),
        ...(/grant all|grant [^;]*truncate/i.test(text) ? [`${path} grants too much`] : []),
      ]),
  broken: {
    "a table for nobody": [file("services/a/prisma/migrations/1/migration.sql", "create table b ();")],
    everything: [file("services/a/prisma/migrations/1/migration.sql", "grant all on b to collect_a;")],
  },
};
