import { failpoint } from "@collect/runtime";
import type { Answered, MerchantServers } from "../adapters/merchant-server.ts";
import type { Job } from "../domain/job.ts";
import { retryAfter, type Schedule, waitAfter } from "../domain/schedule.ts";
import { deliveryHeaders } from "../domain/signature.ts";
import type { AttemptResult } from "../store/deliveries.ts";

/** Makes one attempt. 2xx acknowledges; everything else follows the schedule, redirects and 410 included. */
export async function makeAttempt(
  deps: { servers: MerchantServers; schedule: Schedule },
  job: Job,
): Promise<AttemptResult> {
  const at = new Date();
  const started = performance.now();
  const answered = await deps.servers.post({ url: job.url, headers: deliveryHeaders({ ...job, at }), body: job.body });
  failpoint("posted");
  return {
    number: job.number,
    attempt: job.attempt,
    startedAt: at.toISOString(),
    durationMs: Math.round(performance.now() - started),
    status: answered.status,
    error: answered.status === null ? answered.error : null,
    response: answered.status === null ? null : answered.response,
    ...following(deps.schedule, job.attempt - job.attemptsBefore, answered),
  };
}

function following(
  schedule: Schedule,
  attempt: number,
  answered: Answered,
): Pick<AttemptResult, "outcome" | "retryInMs"> {
  if (answered.status !== null && answered.status >= 200 && answered.status < 300) {
    return { outcome: "delivered", retryInMs: null };
  }
  const asked = answered.status === null ? undefined : retryAfter(answered.retryAfter, new Date());
  const retryInMs = waitAfter(schedule, { attempt, retryAfterMs: asked }, Math.random());
  return retryInMs === undefined ? { outcome: "exhausted", retryInMs: null } : { outcome: "pending", retryInMs };
}
