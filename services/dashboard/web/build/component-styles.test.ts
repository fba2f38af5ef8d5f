import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { componentStyles } from "./component-styles.ts";

const { resolve } = createRequire(import.meta.url);

test("the styles that the development server gets are of packages that are installed", () => {
  const { transform } = componentStyles() as { transform: (code: string, id: string) => string };
  const files = [...transform("", "/src/start.tsx").matchAll(/import "(.*?)";/g)].map(([, file]) => file ?? "");
  expect(files).toContain("@mantine/core/styles.layer.css");
  for (const file of files) expect(() => resolve(file), file).not.toThrow();
});
