import { withServers } from "@collect/testing/vitest";

/** Each command of a test is a process of its own, up to fifteen in a row. */
export default withServers({ testTimeout: 180_000 });
