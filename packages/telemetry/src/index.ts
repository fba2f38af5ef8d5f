/** What a process shows of itself: metrics and traces. */
export { currentTrace, inSpan, inSpanOf, inTrace, isTracing, type Step, startTracing, traces } from "./tracing.ts";
export { addTrace, fail, inThisTrace, type Trace, traceFields, traceOf } from "./tracing-context.ts";
