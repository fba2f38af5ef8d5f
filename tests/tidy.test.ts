import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { links } from "./tidy/documents.ts";
import { handlers } from "./tidy/handlers.ts";
import { noCycles } from "./tidy/imports.ts";
import { folders, imports, ownCode, packageEntry, packageShape, pureDomain, shape } from "./tidy/layers.ts";
import { exportedFirst, files, functions } from "./tidy/sizes.ts";
import { readTree } from "./tidy/source.ts";
import { environment, machines, migrations, shortcuts, waits } from "./tidy/texts.ts";

/** The repository's rules as code, so that no reviewer has to repeat them. */
const RULES = [
  ...[shape, folders, imports, pureDomain, ownCode, noCycles, handlers, packageShape, packageEntry],
  ...[files, functions, exportedFirst, environment, shortcuts, waits, machines, migrations, links],
];
const tree = readTree(fileURLToPath(new URL("..", import.meta.url)));

test.each(RULES)("$name", ({ violations }) => {
  expect(violations(tree)).toEqual([]);
});

describe.each(RULES)("detects a violation: $name", ({ violations, counterexamples }) => {
  test.each(Object.entries(counterexamples))("%s", (_, sources) => {
    expect(violations(sources)).not.toEqual([]);
  });
});
