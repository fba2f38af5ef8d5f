import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const ROOT = join(import.meta.dirname, "../../..");
const Process = z.object({
  image: z.string().optional(),
  build: z
    .object({
      context: z.literal("."),
      dockerfile: z.literal("infra/docker/Dockerfile"),
      target: z.string().optional(),
      args: z.object({ FOLDER: z.string() }),
    })
    .optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
});
const Compose = z.object({ services: z.record(z.string(), Process), volumes: z.record(z.string(), z.null()) });

const text = readFileSync(join(ROOT, "docker-compose.yml"), "utf8");
const compose = Compose.parse(parse(text, { merge: true }));
const built = Object.entries(compose.services).flatMap(([name, { build, environment }]) =>
  build ? [{ name, folder: build.args.FOLDER, environment }] : [],
);

test("every service runs from its own folder", () => {
  for (const service of readdirSync(join(ROOT, "services"))) {
    expect(compose.services[service]?.build?.args.FOLDER).toBe(`services/${service}`);
  }
});

describe.each(built)("$name", ({ folder, environment }) => {
  test("gets every required variable of its configuration, and no unknown ones", async () => {
    const { Config } = await import(join(ROOT, folder, "src/config.ts"));
    const shape: Record<string, z.ZodType> = Config.shape;
    const required = Object.keys(shape).filter((variable) => !shape[variable]?.safeParse(undefined).success);
    expect(Object.keys(shape)).toEqual(expect.arrayContaining(Object.keys(environment)));
    expect(Object.keys(environment)).toEqual(expect.arrayContaining(required));
  });
});

test("every dependency exists and can meet its condition", () => {
  for (const { depends_on } of Object.values(compose.services)) {
    for (const [name, { condition }] of Object.entries(depends_on)) {
      const awaited = compose.services[name];
      expect(awaited, name).toBeDefined();
      if (condition === "service_healthy") expect(awaited?.healthcheck, name).toBeDefined();
    }
  }
});

test("ports are published on loopback only, and data is stored in volumes that exist", () => {
  for (const { ports, volumes } of Object.values(compose.services)) {
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    for (const volume of volumes) expect(compose.volumes).toHaveProperty(volume.split(":")[0] ?? "");
  }
});

test("every secret is required, so that none can be empty unnoticed", () => {
  const used = new Set([...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name));
  const required = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
  expect([...used].filter((name) => !required.has(name))).toEqual([]);
});
