import { describe, expect, test } from "vitest";
import { REDOCLY, SPECTRAL } from "./linter-exceptions.ts";
import { DOCUMENT, type Finding, redocly, spectral } from "./linters.ts";

/** Slow on a busy machine: they read the whole document with a hundred rules. */
const SLOW_MS = 60_000;

const LINTERS = [
  { name: "Redocly", lint: redocly, exceptions: REDOCLY },
  { name: "Spectral, with OWASP's rules", lint: spectral, exceptions: SPECTRAL },
];

describe.each(LINTERS)("$name", ({ lint, exceptions }) => {
  test("finds nothing in the document that is not answered, and no answer is left over", {
    timeout: SLOW_MS,
  }, async () => {
    const findings = await lint();
    const answers = (finding: Finding) =>
      exceptions.filter(({ rule, at }) => rule === finding.rule && at.test(finding.at));
    expect(findings.filter((finding) => answers(finding).length === 0)).toEqual([]);
    const used = new Set(findings.flatMap(answers));
    expect(exceptions.filter((exception) => !used.has(exception))).toEqual([]);
  });

  test("finds an operation without a name", { timeout: SLOW_MS }, async () => {
    const unnamed = {
      openapi: "3.1.0",
      info: { title: "A", version: "1" },
      paths: { "/a": { get: { responses: {} } } },
    };
    const findings = await lint(JSON.stringify(unnamed));
    expect(findings.map(({ rule }) => rule)).toContain("operation-operationId");
  });
});

test("every text that a caller sends is bounded", () => {
  const { paths, components } = JSON.parse(DOCUMENT);
  const parameters = Object.entries<Operations>(paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ parameters = [] }) =>
      parameters.map(({ name, schema }) => [`${path} ${name}`, schema]),
    ),
  );
  const fields = Object.entries<{ properties: Record<string, Text> }>(components.schemas)
    .filter(([name]) => name.endsWith("Body"))
    .flatMap(([body, { properties }]) =>
      Object.entries(properties).map(([name, schema]) => [`${body}.${name}`, schema]),
    );
  const texts = [...parameters, ...fields] as [string, Text][];
  const isBounded = ({ maxLength, pattern, format, enum: values }: Text) =>
    maxLength !== undefined ||
    values !== undefined ||
    /^date-time$/.test(format ?? "") ||
    /^\^.*[^*+]\$$/.test(pattern ?? "");
  const isText = ({ type }: Text) => [type].flat().includes("string");
  expect(texts.filter(([, schema]) => isText(schema)).length).toBeGreaterThan(40);
  expect(texts.filter(([, schema]) => isText(schema) && !isBounded(schema)).map(([name]) => name)).toEqual([]);
});

type Text = { type?: string | string[]; maxLength?: number; pattern?: string; format?: string; enum?: unknown[] };
type Operations = Record<string, { parameters?: { name: string; schema: Text }[] }>;
