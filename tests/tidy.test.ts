import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

/** The rules of the house as code: what a reviewer would otherwise have to say again and again. */

const root = fileURLToPath(new URL("..", import.meta.url));
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file && existsSync(join(root, file)));
const code = files.filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !file.includes("/generated/"));
const source = (file: string) => readFileSync(join(root, file), "utf8");
const uncommented = (file: string) => source(file).replace(/^\s*(\*|\/\*|\/\/).*$/gm, "");
const offenders = (candidates: string[], rule: RegExp) => candidates.filter((file) => rule.test(uncommented(file)));
const services = readdirSync(join(root, "services"));
const packages = readdirSync(join(root, "packages"));
const isTest = (file: string) => /\.test\.tsx?$|(^|\/)tests?\/|^packages\/testing\//.test(file);

describe("every service", () => {
  test.each(services)("%s has the shape of a service", (service) => {
    const has = (file: string) => existsSync(join(root, "services", service, file));
    for (const file of [
      "package.json",
      "README.md",
      "prisma.config.ts",
      "prisma/schema.prisma",
      "prisma/migrations",
      "src/app.ts",
      "src/config.ts",
      "src/main.ts",
      "test",
    ]) {
      expect(has(file), `${service}/${file}`).toBe(true);
    }
    expect(source(`services/${service}/src/main.ts`).split("\n").length).toBeLessThanOrEqual(41);
    const allowed = [
      "adapters",
      "calls",
      "domain",
      "handlers",
      "http",
      "store",
      "workers",
      "generated",
      "app.ts",
      "config.ts",
      "endpoints.ts",
      "main.ts",
    ];
    for (const entry of readdirSync(join(root, "services", service, "src")))
      expect(allowed, `${service}/src/${entry}`).toContain(entry);
  });

  test("imports no code of another service, and packages import none of a service", () => {
    const imports =
      /from "[^"]*services\/|from "@collect\/(gateway|accounts|ledger|payments|webhooks|checkout|dashboard)"/;
    expect(
      offenders(
        // A service's own pages take the types of its calls from it.
        code.filter((file) => /^(services|packages)\//.test(file) && !file.startsWith("services/dashboard/web/")),
        imports,
      ),
    ).toEqual([]);
  });

  test("keeps its domain pure: it imports only money and contracts", () => {
    const impure =
      /from "(@collect\/(?!money|contracts|bank)[^"]*|pg|@nats-io[^"]*|express|undici|\.\.\/(store|handlers|adapters)[^"]*)"/;
    expect(
      offenders(
        code.filter((file) => /^services\/[^/]+\/src\/domain\//.test(file) && !isTest(file)),
        impure,
      ),
    ).toEqual([]);
  });
});

describe("every package", () => {
  test("has a nameable noun and says what it is", () => {
    expect(packages).toEqual(packages.filter((name) => !["utils", "common", "shared", "helpers"].includes(name)));
    for (const name of packages)
      expect(existsSync(join(root, "packages", name, "README.md")), `packages/${name}/README.md`).toBe(true);
  });

  test("is entered by its index alone", () => {
    const product = code.filter((file) => !file.startsWith("tests/load/"));
    expect(offenders(product, /from "@collect\/[a-z-]+\/(?!vitest|stack)[^"]+"/)).toEqual([]);
  });
});

describe("the code", () => {
  test("reads the environment in configuration only", () => {
    const allowed =
      /(^|\/)(config|settings)\.ts$|\.config\.ts$|^packages\/runtime\/src\/failpoint\.ts$|^packages\/servers\/|^infra\/|^tests\//;
    const product = code.filter((file) => !allowed.test(file) && !isTest(file));
    expect(offenders(product, /process\.env/)).toEqual([]);
  });

  test("has files of one screenful of ideas", () => {
    const long = code.filter((file) => !isTest(file) && source(file).split("\n").length > 260);
    expect(long).toEqual([]);
  });

  test("has no stubs, no mocks of its own code, no skipped tests, no holes in its types", () => {
    const rule = new RegExp(
      [
        "TO" + "DO",
        "FIX" + "ME",
        "vi\\.mock" + "\\(",
        "\\b(it|test|describe)\\.(skip|only|todo)\\b",
        "@ts-(ignore|expect-error)",
        ": any\\b",
        "as any\\b",
      ].join("|"),
    );
    expect(
      offenders(
        code.filter((file) => file !== "tests/tidy.test.ts"),
        rule,
      ),
    ).toEqual([]);
  });

  test("never waits for a time in a test, and never retries one", () => {
    expect(
      offenders(
        code.filter((file) => /\.test\.tsx?$/.test(file)),
        /retry: [1-9]|setTimeout\((resolve|done)\b/,
      ),
    ).toEqual([]);
  });

  test("names no registry and no path of a machine", () => {
    const text = files.filter(
      (file) => /\.(ts|mjs|json|ya?ml|md|sh|sql)$|Dockerfile|\.ci\/run/.test(file) && file !== "tests/tidy.test.ts",
    );
    expect(offenders(text, /registry\.npmjs\.org|\/work\/|\/root\//)).toEqual([]);
  });
});

test("every migration goes forward only and grants the service no right to its history", () => {
  for (const file of files.filter((name) => name.endsWith("migration.sql"))) {
    const service = file.split("/")[1];
    if (/create (unlogged )?table/.test(source(file))) expect(source(file), file).toContain(`to collect_${service}`);
    expect(source(file), file).not.toMatch(/grant all|grant [^;]*truncate/i);
  }
});
