export { createInternalServer, type Page, type Pages } from "./internal-server.ts";
export { type Check, type CheckState, type Checks, createReadiness, NotReady, type Readiness } from "./readiness.ts";
