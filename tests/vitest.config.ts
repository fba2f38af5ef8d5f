import { defineConfig } from "vitest/config";

/**
 * Every file has a whole stack of about nine processes, which is mostly idle: two files at a time. In CI one, because its result
 * is binding, and a busy machine cannot be recognized there.
 */
export default defineConfig({
  test: {
    pool: "forks",
    isolate: false,
    maxWorkers: process.env.CI ? 1 : 2,
    testTimeout: 90_000,
    hookTimeout: 90_000,
    include: ["**/*.test.ts"],
  },
});
