export { withBackOff } from "./back-off.ts";
export { loadConfig, Port } from "./config.ts";
export { every } from "./every.ts";
export { failpoint } from "./failpoint.ts";
export { createGroupCommit } from "./group-commit.ts";
export { createLogger, type Logger } from "./log.ts";
export { type Part, run } from "./run.ts";
