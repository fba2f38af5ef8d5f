export { withBackOff } from "./back-off.ts";
export { loadConfig, Port } from "./config.ts";
export { failpoint } from "./failpoint.ts";
export { createGroupCommit } from "./group-commit.ts";
export { interval } from "./interval.ts";
export { createLimiter, type Limiter } from "./limiter.ts";
export { createLogger, type Logger } from "./log.ts";
export { createWatchdog, exitWhenStuck, type Progress, type Watchdog, watchProgress } from "./progress.ts";
export { type Component, run } from "./run.ts";
