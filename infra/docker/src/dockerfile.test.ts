import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const dockerfile = readFileSync(join(ROOT, "infra/docker/Dockerfile"), "utf8");
const ignored = readFileSync(join(ROOT, ".dockerignore"), "utf8")
  .split("\n")
  .filter((line) => line && !line.startsWith("#"));

/** Paths that the build copies from its context, not from another stage. */
const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(([, line = ""]) =>
  line.split(" ").slice(0, -1),
);

/** A path is excluded from the context if the last pattern that matches it or a parent folder does not begin with `!`. */
function isIgnored(path: string): boolean {
  const parents = path.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));
  const last = ignored.findLast((pattern) => parents.some((parent) => matchesGlob(parent, pattern.replace(/^!/, ""))));
  return last !== undefined && !last.startsWith("!");
}

test("every copied path exists and is in the build context", () => {
  expect(copied.length).toBeGreaterThan(0);
  for (const path of copied) {
    expect(existsSync(join(ROOT, path)), path).toBe(true);
    expect(isIgnored(path), path).toBe(false);
  }
});

test("the context contains every workspace member, so that the lockfile can be pruned, and each service's runtime files", () => {
  const members = ["packages", "services", "infra"].flatMap((parent) =>
    readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`),
  );
  const manifests = [...members, "services/dashboard/web"]
    .map((member) => `${member}/package.json`)
    .filter((path) => existsSync(join(ROOT, path)));
  const needed = readdirSync(join(ROOT, "services")).flatMap((service) => [
    `services/${service}/src/main.ts`,
    `services/${service}/prisma/schema.prisma`,
    `services/${service}/prisma/migrations`,
  ]);
  for (const path of [...manifests, ...needed]) {
    expect(existsSync(join(ROOT, path)), path).toBe(true);
    expect(isIgnored(path), path).toBe(false);
  }
});

test("the image contains no local files: no installed packages, no data, no secrets", () => {
  for (const path of [
    "node_modules",
    "services/gateway/node_modules",
    "packages/bus/node_modules/pg",
    ".local/demo.json",
    ".env",
    ".env.new",
    ".env.production",
    "infra/docker/.env.local",
    "infra/docker/certificates/server.pem",
    "server.key",
    "infra/nats/cluster.conf",
    "infra/nats/users.conf",
    "infra/kubernetes/nats-values.yaml",
    "infra/docker/secrets/postgres_password",
    ".git/config",
  ]) {
    expect(isIgnored(path), path).toBe(true);
  }
});

test("the process does not run as root, and its stages exist", () => {
  const stages = [...dockerfile.matchAll(/^FROM \S+ AS (\w+)$/gm)].map(([, name]) => name);
  const named = [...dockerfile.matchAll(/^(?:COPY --from=|FROM )(\w+)(?= |$)/gm)].map(([, name]) => name);
  expect(stages).toEqual(expect.arrayContaining(named));
  // By number: Kubernetes cannot tell from a name whether it is root.
  expect(dockerfile).toMatch(/USER 1000:1000\nCMD \[[^\n]+\]\n$/);
  for (const [, base = ""] of dockerfile.matchAll(/^FROM (\S+)/gm))
    expect(["$" + "{NODE_IMAGE}", ...stages], base).toContain(base);
});
