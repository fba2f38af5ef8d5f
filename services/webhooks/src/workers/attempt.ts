import { failpoint } from "@collect/runtime";
import { webhookAttemptDuration } from "@collect/telemetry";
import type { MerchantServers, PostResult } from "../adapters/merchant-server.ts";
import type { AttemptResult, Job } from "../domain/job.ts";
import { repeatable, retryAfter, type Schedule, scheduleOf, waitAfter } from "../domain/schedule.ts";
import { deliveryHeaders } from "../domain/signature.ts";
import { respond, simulatedFor } from "../domain/simulated-response.ts";
import type { Opener } from "./unopened.ts";

/**
 * Makes one attempt. 2xx acknowledges; any other result is retried by the schedule, including redirects and 410. Undefined if the
 * secret cannot be decrypted: nothing was sent, so nothing counts against the merchant's server.
 */
export async function makeAttempt(
  deps: { servers: MerchantServers; opener: Opener; schedule: Schedule },
  job: Job,
): Promise<AttemptResult | undefined> {
  const at = new Date();
  const started = performance.now();
  const opened = deps.opener.open(job);
  if (!opened) return undefined;
  const headers = deliveryHeaders({ ...job, secret: opened.secret, stagedSecret: opened.staged_secret, at });
  const post = () => deps.servers.post({ url: job.url, headers, body: job.body });
  const result = await respond(simulatedFor(job), post);
  failpoint("posted");
  const durationMs = Math.round(performance.now() - started);
  const retryAfterMs = result.status === null ? undefined : retryAfter(result.retryAfter, new Date());
  const next = nextStep(scheduleOf(deps.schedule, job.kind), { ...job, retryAfterMs }, result);
  webhookAttemptDuration.observe({ mode: job.mode, outcome: next.outcome }, durationMs / 1_000);
  return {
    number: job.number,
    attempt: job.attempt,
    startedAt: at.toISOString(),
    durationMs,
    status: result.status,
    error: result.error ?? null,
    response: result.status === null ? null : result.response,
    retryAfterMs,
    ...next,
  };
}

function nextStep(
  schedule: Schedule,
  job: Pick<Job, "mode" | "sequence" | "attempt" | "attemptsBefore"> & { retryAfterMs: number | undefined },
  result: PostResult,
): Pick<AttemptResult, "outcome" | "retryInMs"> {
  if (result.status !== null && result.status >= 200 && result.status < 300) {
    return { outcome: "delivered", retryInMs: null };
  }
  const random = job.mode === "test" ? repeatable(job) : Math.random();
  const failed = { attempt: job.attempt - job.attemptsBefore, retryAfterMs: job.retryAfterMs };
  const retryInMs = waitAfter(schedule, failed, random);
  return retryInMs === undefined ? { outcome: "exhausted", retryInMs: null } : { outcome: "pending", retryInMs };
}
