import { fail, type Step } from "@collect/telemetry";
import type { AttemptResult, Job } from "../domain/job.ts";

/** An attempt in a trace. The merchant's server gets nothing of it, and of its URL only the host is recorded. */
export function attemptStep({ url, mode, number, attempt }: Job): Step {
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

/** Without a status there is a code of the error, if it has one: its text may repeat what the merchant configured. */
export function describeResult(span: Parameters<typeof fail>[0], result: AttemptResult | undefined): void {
  const { status = null, error = null } = result ?? {};
  if (status !== null) span?.setAttribute("http.response.status_code", status);
  if (result?.outcome !== "delivered")
    fail(span, String(status ?? /^[A-Z][A-Z0-9_]+(?=:)/.exec(error ?? "")?.[0] ?? "_OTHER"));
}
