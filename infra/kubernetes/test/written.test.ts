import { expect, test } from "vitest";
import { kept, made } from "./manifests.ts";

test.each(Object.keys(made))("%s is what the code makes (npm run document writes it)", (path) => {
  expect(kept(path)).toBe(made[path]);
});
