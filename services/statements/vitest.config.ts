import { withServers } from "@collect/testing/vitest";

export default withServers();
