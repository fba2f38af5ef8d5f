import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { kept } from "./manifests.ts";

const Values = z.looseObject({
  config: z.looseObject({
    cluster: z.looseObject({
      replicas: z.number(),
      merge: z.object({ authorization: z.looseObject({ password: z.string() }), routes: z.array(z.string()) }),
    }),
    merge: z.record(z.string(), z.unknown()),
  }),
  container: z.looseObject({ env: z.record(z.string(), z.unknown()) }),
});
const Compose = z.object({
  services: z.record(z.string(), z.object({ environment: z.record(z.string(), z.string()).default({}) })),
});
const text = kept("infra/kubernetes/nats-values.yaml");
const values = Values.parse(parse(text, { merge: true }));

/** The values of the chart's release that the file names. Below these, anything may stand. */
const chart = readFileSync(join(import.meta.dirname, "nats-chart.txt"), "utf8")
  .trim()
  .split("\n");
const isOpen = (path: string) => /(^|\.)(merge|patch|env|resources|topologySpreadConstraints)$/.test(path);

function paths(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null || isOpen(path)) return [path];
  return Object.entries(value).flatMap(([key, child]) => paths(child, path ? `${path}.${key}` : key));
}

test("every value is one that the chart has", () => {
  expect(chart).toEqual(expect.arrayContaining(paths(values)));
  expect(chart).not.toContain(paths({ config: { cluster: { replica: 3 } } })[0]);
});

test("the broker has the settings of infra/nats/nats.conf, and the generated users", () => {
  const conf = kept("infra/nats/nats.conf");
  const settings = [...conf.matchAll(/^(\w+): (.+)$/gm)].map(([, name = "", value]) => [name, value]);
  const { $include, ...merge } = values.config.merge;
  expect(Object.fromEntries(settings.map(([name = ""]) => [name, printed(merge[name])]))).toEqual(
    Object.fromEntries(settings),
  );
  expect($include).toMatch(/users\.conf$/);
  expect(conf).toContain("include ./users.conf");
});

/** As the broker's configuration language has it. */
function printed(value: unknown): string {
  if (typeof value === "object") return `{ ${Object.entries(value ?? {}).map(([key, child]) => `${key}: ${child}`)} }`;
  const raw = String(value).match(/^<< (.+) >>$/)?.[1];
  return raw ?? JSON.stringify(value);
}

test("three brokers, as many as the streams have copies", () => {
  expect(values.config.cluster.replicas).toBe(3);
  expect(kept("infra/kubernetes/shared.yaml")).toMatch(/name: NATS_REPLICAS\n\s+value: "3"/);
});

test("brokers know each other by a password of a Secret, which is set before what contains it", () => {
  const { authorization, routes } = values.config.cluster.merge;
  const { env } = values.container;
  const named = (text: string) => env[/^<< \$(\w+) >>$/.exec(text)?.[1] ?? ""];
  expect(named(authorization.password)).toBe('"$(CLUSTER_PASSWORD)"');
  expect(routes.map(named)).toEqual(
    [0, 1, 2].map((number) => `"tls://route:$(CLUSTER_PASSWORD)@nats-${number}.nats-headless:6222"`),
  );
  expect(Object.keys(env).toSorted()[0]).toBe("CLUSTER_PASSWORD");
  expect(env.CLUSTER_PASSWORD).toEqual({ valueFrom: { secretKeyRef: { name: "nats-routes", key: "password" } } });
  expect(kept("infra/kubernetes/README.md")).toContain("\n| `nats-routes` | `password` |");
});

test("the README gives each process the key of the broker's user that it is in containers", () => {
  const { services } = Compose.parse(parse(kept("docker-compose.yml"), { merge: true }));
  const rows = kept("infra/kubernetes/README.md").matchAll(/^\| `([a-z]+)` \| `NATS_NKEY_SEED`.* \| (.*)\|$/gm);
  const users = [...rows].map(([, name = "", text = ""]) => [name, /broker's user `(\w+)`/.exec(text)?.[1] ?? name]);
  expect(users).toHaveLength(10);
  for (const [name = "", user] of users)
    expect([name, services[name]?.environment.NATS_NKEY_SEED_FILE]).toEqual([name, `/run/secrets/${user}_nkey_seed`]);
});
