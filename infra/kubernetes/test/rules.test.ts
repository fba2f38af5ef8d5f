import { describe, expect, test } from "vitest";
import { manifests } from "./manifests.ts";
import * as network from "./network-rules.ts";
import * as pods from "./rules.ts";
import * as secrets from "./secret-rules.ts";

/** What every file of the deployment keeps to, as code. */
const RULES = [...Object.values(pods), ...Object.values(network), ...Object.values(secrets)];

test.each(RULES)("$name", ({ violations }) => {
  expect(violations(manifests)).toEqual([]);
});

describe.each(RULES)("notices a violation: $name", ({ violations, counterexamples }) => {
  test.each(Object.entries(counterexamples))("%s", (_, change) => {
    const changed = structuredClone(manifests);
    change(changed);
    expect(violations(changed)).not.toEqual([]);
  });
});
