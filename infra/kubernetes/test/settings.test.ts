import { join } from "node:path";
import { loadConfig } from "@collect/runtime";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { exampleOf } from "./example.ts";
import { type Container, kept, manifests, workloads } from "./manifests.ts";

const ROOT = join(import.meta.dirname, "../../..");
const processes = workloads(manifests).flatMap(({ metadata, spec }) =>
  spec.template.spec.containers.map((container) => ({ name: metadata.name, container })),
);

/** The variables of a container, and those that it reads from files. */
function settingsOf({ env }: Container) {
  const named = env.map(({ name, value }) => ({
    name: name.replace(/_FILE$/, ""),
    value,
    isFile: name.endsWith("_FILE"),
  }));
  return {
    plain: Object.fromEntries(
      named.flatMap(({ name, value, isFile }) => (isFile || value === undefined ? [] : [[name, value]])),
    ),
    secret: named.filter(({ isFile }) => isFile).map(({ name }) => name),
    all: named.map(({ name }) => name),
  };
}

/** Read by the exporter of traces itself. */
const TRACES = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_TRACES_SAMPLER", "OTEL_TRACES_SAMPLER_ARG"];

async function configOf(name: string) {
  const folder = name === "operators" ? "dashboard" : name;
  const { Config, OperatorsConfig } = await import(join(ROOT, "services", folder, "src/config.ts"));
  return z.instanceof(z.ZodObject).parse(name === "operators" ? OperatorsConfig : Config);
}

describe.each(processes)("$name", ({ name, container }) => {
  const settings = settingsOf(container);

  test("gets every setting that it needs, and none that it does not have", async () => {
    const { shape } = await configOf(name);
    const names = Object.keys(shape);
    const required = names.filter((setting) => !z.safeParse(shape[setting] as z.ZodType, undefined).success);
    const passwords = names
      .filter((setting) => setting.endsWith("_URL"))
      .map((url) => url.replace("_URL", "_PASSWORD"));
    expect([...names, ...passwords, ...TRACES]).toEqual(expect.arrayContaining(settings.all));
    expect(settings.all).toEqual(expect.arrayContaining(required));
  });

  test("its README names every setting", async () => {
    const readme = kept(`services/${name === "operators" ? "dashboard" : name}/README.md`);
    const { shape } = await configOf(name);
    expect(Object.keys(shape).filter((setting) => !readme.includes(`\`${setting}\``))).toEqual([]);
  });

  test("starts in production with them, with every connection encrypted", async () => {
    const secrets = Object.fromEntries(settings.secret.map((setting) => [setting, exampleOf(setting)]));
    const Config = await configOf(name);
    const environment = { ...settings.plain, ...secrets, NODE_ENV: "production" };
    expect(settings.plain).not.toHaveProperty("ALLOW_PLAINTEXT");
    expect(() => loadConfig(Config, environment)).not.toThrow();
  });
});
