import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** What is rendered has a browser around it; what is only computed has none. */
export default defineConfig({
  test: {
    // A browser is slow to make and the machine may be busy.
    testTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    projects: [
      { extends: true, test: { name: "pure", include: ["{src,build}/**/*.test.ts"], environment: "node" } },
      {
        extends: true,
        plugins: [react()],
        test: {
          name: "pages",
          include: ["src/**/*.test.tsx"],
          environment: "jsdom",
          setupFiles: ["test/browser.ts"],
          // One browser for all files of a worker: each test clears what it kept.
          isolate: false,
        },
      },
    ],
  },
});
