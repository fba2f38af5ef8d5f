import { defineConfig } from "vitest/config";

/** A whole stack is started, on a machine that may be busy. */
export default defineConfig({ test: { testTimeout: 180_000, hookTimeout: 180_000 } });
