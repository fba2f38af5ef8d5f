import { defineConfig } from "vitest/config";

/** Every file has a whole stack of about nine processes, which mostly waits: two files at a time. */
export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 90_000,
    hookTimeout: 90_000,
    include: ["**/*.test.ts"],
  },
});
