import { fail, inTrace, type Span, type Step } from "@collect/telemetry";
import type { AttemptResult, Job } from "../domain/job.ts";

/** Performs an attempt in the trace in which its delivery was recorded, or begins one. The merchant's server gets nothing of it. */
export const inAttempt = <Result>(job: Job, perform: (job: Job, span?: Span) => Promise<Result>): Promise<Result> =>
  inTrace(
    job.trace,
    () => stepOf(job),
    (span) => perform(job, span),
  );

/** Without a status there is a code of the error, if it has one: its text may repeat what the merchant configured. */
export function describeResult(span: Span | undefined, result: AttemptResult | undefined): void {
  const { status = null, error = null } = result ?? {};
  if (status !== null) span?.setAttribute("http.response.status_code", status);
  if (result?.outcome !== "delivered")
    fail(span, String(status ?? /^[A-Z][A-Z0-9_]+(?=:)/.exec(error ?? "")?.[0] ?? "_OTHER"));
}

/** Of the URL only the host is recorded. */
function stepOf({ url, mode, number, attempt }: Job): Step {
  return {
    name: "POST",
    kind: "CLIENT",
    attributes: {
      "http.request.method": "POST",
      ...(attempt > 1 && { "http.request.resend_count": attempt - 1 }),
      "server.address": URL.parse(url)?.hostname ?? "",
      "collect.mode": mode,
      "collect.delivery": number.toString(),
    },
  };
}
