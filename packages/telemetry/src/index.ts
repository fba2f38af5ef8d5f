/** What a process shows of itself: metrics and traces. */
export {
  addTrace,
  currentTrace,
  inSpan,
  inSpanOf,
  inThisTrace,
  inTrace,
  isTracing,
  startTracing,
  traceFields,
  traceOf,
  traces,
} from "./tracing.ts";
export { fail, type Span, type Step, type Trace } from "./tracing-step.ts";
