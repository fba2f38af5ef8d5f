import { file, isCode, isGenerated, isTest, type Rule, type Source, uncommented } from "./source.ts";

/** The rules themselves contain the patterns they search for. */
const isRule = ({ path }: Source) => /^tests\/tidy[./]/.test(path);

/** Files whose text, except comments, matches a forbidden pattern. */
function matching(pattern: RegExp, where: (source: Source) => boolean): Rule["violations"] {
  return (sources) =>
    sources
      .filter((source) => !isRule(source) && where(source))
      .flatMap((source) => {
        const found = uncommented(source).match(pattern)?.[0];
        return found === undefined ? [] : [`${source.path} contains ${found.trim()}`];
      });
}

const CONFIGURES =
  /(^|\/)(config|settings)\.ts$|\.config\.ts$|^packages\/runtime\/src\/failpoint\.ts$|^packages\/servers\/|^infra\/|^tests\//;

export const environment: Rule = {
  name: "only configuration files read the environment",
  violations: matching(/process\.env/, (source) => isCode(source) && !isTest(source) && !CONFIGURES.test(source.path)),
  counterexamples: { "a handler": [file("services/a/src/handlers/b.ts", "const url = process.env.URL;")] },
};

export const shortcuts: Rule = {
  name: "no stubs, no mocks of our own code, no skipped tests, no `any` or suppressed type errors",
  violations: matching(
    /TODO|FIXME|vi\.mock\(|\b(it|test|describe)\.(skip|only|todo)\b|@ts-(ignore|expect-error)|: any\b|as any\b/,
    isCode,
  ),
  counterexamples: {
    "a stub": [file("services/a/src/b.ts", "throw new Error('TODO');")],
    "a mock": [file("services/a/test/b.test.ts", 'vi.mock("../src/b.ts");')],
    "a skipped test": [file("services/a/test/b.test.ts", 'test.skip("b", () => {});')],
    any: [file("packages/a/src/b.ts", "export const b = (c: any) => c;")],
  },
};

export const waits: Rule = {
  name: "no test sleeps or retries",
  violations: matching(/retry: [1-9]|setTimeout\((resolve|done)\b/, ({ path }) => /\.test\.tsx?$/.test(path)),
  counterexamples: {
    "a sleep": [file("services/a/test/b.test.ts", "await new Promise((resolve) => setTimeout(resolve, 5));")],
    "a retry": [file("services/a/test/b.test.tsx", 'test("b", { retry: 2 }, () => {});')],
  },
};

export const machines: Rule = {
  name: "no registry host or machine path is named",
  violations: matching(
    /registry\.npmjs\.org|\/work\/|\/root\//,
    ({ path }) => /\.(tsx?|mjs|json|ya?ml|md|sh|sql)$|Dockerfile|\.ci\/run/.test(path) && !isGenerated(path),
  ),
  counterexamples: { "a home directory": [file("docs/a.md", "see /root/notes")] },
};

export const migrations: Rule = {
  name: "a migration grants the service access to its tables, and never TRUNCATE or ALL",
  violations: (sources) =>
    sources
      .filter(({ path }) => path.endsWith("migration.sql"))
      .flatMap(({ path, text }) => [
        ...(/create (unlogged )?table/.test(text) && !text.includes(`to collect_${path.split("/")[1]}`)
          ? [`${path} does not grant the service access`]
          : []),
        ...(/grant all|grant [^;]*truncate/i.test(text) ? [`${path} grants too much`] : []),
      ]),
  counterexamples: {
    "a table without a grant": [file("services/a/prisma/migrations/1/migration.sql", "create table b ();")],
    "all rights": [file("services/a/prisma/migrations/1/migration.sql", "grant all on b to collect_a;")],
  },
};
