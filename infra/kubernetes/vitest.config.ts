import { defineConfig } from "vitest/config";

// The files share what they import, which takes longer than the tests.
export default defineConfig({ test: { pool: "forks", maxWorkers: 1, isolate: false, testTimeout: 60_000 } });
