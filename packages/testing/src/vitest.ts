import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";

/**
 * The vitest configuration of every package that needs PostgreSQL: one server per run, no retries, bounded waits. The files of
 * a worker share its modules, because loading them anew took a third of the time: a test keeps its state in what it creates.
 */
export function withServers(test: ViteUserConfig["test"] = {}): ViteUserConfig {
  return defineConfig({
    test: {
      globalSetup: fileURLToPath(new URL("global-setup.ts", import.meta.url)),
      pool: "forks",
      isolate: false,
      maxWorkers: 2,
      testTimeout: 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 20_000 } },
      ...test,
    },
  });
}
