import { failpoint } from "@collect/runtime";
import type { MerchantServers, PostResult } from "../adapters/merchant-server.ts";
import type { Job } from "../domain/job.ts";
import { retryAfter, type Schedule, waitAfter } from "../domain/schedule.ts";
import { deliveryHeaders } from "../domain/signature.ts";
import type { AttemptResult } from "../store/deliveries.ts";

/** Makes one attempt. 2xx acknowledges; any other result is retried by the schedule, including redirects and 410. */
export async function makeAttempt(
  deps: { servers: MerchantServers; schedule: Schedule },
  job: Job,
): Promise<AttemptResult> {
  const at = new Date();
  const started = performance.now();
  const result = await deps.servers.post({ url: job.url, headers: deliveryHeaders({ ...job, at }), body: job.body });
  failpoint("posted");
  return {
    number: job.number,
    attempt: job.attempt,
    startedAt: at.toISOString(),
    durationMs: Math.round(performance.now() - started),
    status: result.status,
    error: result.status === null ? result.error : null,
    response: result.status === null ? null : result.response,
    ...nextStep(deps.schedule, job.attempt - job.attemptsBefore, result),
  };
}

function nextStep(
  schedule: Schedule,
  attempt: number,
  result: PostResult,
): Pick<AttemptResult, "outcome" | "retryInMs"> {
  if (result.status !== null && result.status >= 200 && result.status < 300) {
    return { outcome: "delivered", retryInMs: null };
  }
  const retryAfterMs = result.status === null ? undefined : retryAfter(result.retryAfter, new Date());
  const retryInMs = waitAfter(schedule, { attempt, retryAfterMs }, Math.random());
  return retryInMs === undefined ? { outcome: "exhausted", retryInMs: null } : { outcome: "pending", retryInMs };
}
