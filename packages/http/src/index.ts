export { type ContentSecurityPolicy, createHttpApp, type HttpApp } from "./app.ts";
export { type BodyLimits, rawBodyOf, readBody } from "./body.ts";
export {
  type Caller,
  CONCURRENCY,
  type Concurrency,
  type LimitedConcurrency,
  limitConcurrency,
} from "./concurrency.ts";
export { fromForm } from "./form.ts";
export { assertFields, pickFields, withoutNulls } from "./input.ts";
export { isFromOurPage, refuseOtherOrigins } from "./origin.ts";
export { byPath, onlyMethods } from "./paths.ts";
export { contextOf, type ProblemType, renderProblem, requestIdOf, setActor, type WriteProblem } from "./problem.ts";
export {
  addressOf,
  type Counted,
  countCall,
  createRateLimitStore,
  deleteExpiredRateLimits,
  limitRate,
  type RateLimit,
  uncountCall,
} from "./rate-limit.ts";
export { httpServer } from "./server.ts";
export { TrustedProxies } from "./trusted-proxies.ts";
