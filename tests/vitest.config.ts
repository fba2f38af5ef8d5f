import { defineConfig } from "vitest/config";

/** Every file has a whole stack of about nine processes: one file at a time. */
export default defineConfig({
  test: {
    pool: "forks",
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 90_000,
    include: ["**/*.test.ts"],
  },
});
