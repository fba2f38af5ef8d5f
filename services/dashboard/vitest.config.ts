import { withServers } from "@collect/testing/vitest";

/** The pages are a package with tests of their own. */
export default withServers({ include: ["src/**/*.test.ts", "test/**/*.test.ts"] });
