export { type ContentSecurityPolicy, createHttpApp, type HttpApp } from "./app.ts";
export { type BodyLimits, readBody } from "./body.ts";
export { type Caller, CONCURRENCY, type Concurrency, limitConcurrency } from "./concurrency.ts";
export { fromForm } from "./form.ts";
export { assertFields, pickFields } from "./input.ts";
export { byPath, onlyMethods } from "./paths.ts";
export { renderProblem, requestIdOf, type WriteProblem } from "./problem.ts";
export { addressOf, createRateLimitStore, deleteExpiredRateLimits, limitRate, type RateLimit } from "./rate-limit.ts";
export { httpServer } from "./server.ts";
