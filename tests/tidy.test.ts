import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { links } from "./tidy/documents.ts";
import { handlers } from "./tidy/handlers.ts";
import { noCircles } from "./tidy/imports.ts";
import { arrows, ownCode, packageDoor, packageShape, pureDomain, rooms, shape } from "./tidy/rooms.ts";
import { exportedFirst, files, functions } from "./tidy/sizes.ts";
import { readTree } from "./tidy/source.ts";
import { environment, holes, machines, migrations, waits } from "./tidy/texts.ts";

/** The rules of the house as code: what a reviewer would otherwise have to say again and again. */
const RULES = [
  ...[shape, rooms, arrows, pureDomain, ownCode, noCircles, handlers, packageShape, packageDoor],
  ...[files, functions, exportedFirst, environment, holes, waits, machines, migrations, links],
];
const tree = readTree(fileURLToPath(new URL("..", import.meta.url)));

test.each(RULES)("$name", ({ faults }) => {
  expect(faults(tree)).toEqual([]);
});

describe.each(RULES)("it would be seen if that were broken: $name", ({ faults, broken }) => {
  test.each(Object.entries(broken))("%s", (_, sources) => {
    expect(faults(sources)).not.toEqual([]);
  });
});
