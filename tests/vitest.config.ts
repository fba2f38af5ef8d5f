import { defineConfig } from "vitest/config";

/**
 * Every file has a whole stack of about nine processes, which mostly waits: two files at a time. In CI one, because its result
 * decides, and no one can see there that the machine was busy.
 */
export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: process.env.CI ? 1 : 2,
    testTimeout: 90_000,
    hookTimeout: 90_000,
    include: ["**/*.test.ts"],
  },
});
