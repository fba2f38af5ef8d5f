import { failpoint, type Logger } from "@collect/runtime";
import type { MerchantServers, PostResult } from "../adapters/merchant-server.ts";
import type { AttemptResult, Job } from "../domain/job.ts";
import { retryAfter, type Schedule, scheduleOf, waitAfter } from "../domain/schedule.ts";
import { deliveryHeaders } from "../domain/signature.ts";
import { respond, simulatedFor } from "../domain/simulated-response.ts";
import { openRow, type SealedSecrets } from "../use-cases/sealed-secrets.ts";

/** Makes one attempt. 2xx acknowledges; any other result is retried by the schedule, including redirects and 410. */
export async function makeAttempt(
  deps: { servers: MerchantServers; secrets: SealedSecrets; schedule: Schedule; log: Logger },
  job: Job,
): Promise<AttemptResult> {
  const at = new Date();
  const started = performance.now();
  const headers = sign(deps, job, at);
  const post = () =>
    headers ? deps.servers.post({ url: job.url, headers, body: job.body }) : Promise.resolve(UNSIGNED);
  const result = await respond(simulatedFor(job), post);
  failpoint("posted");
  const retryAfterMs = result.status === null ? undefined : retryAfter(result.retryAfter, new Date());
  return {
    number: job.number,
    attempt: job.attempt,
    startedAt: at.toISOString(),
    durationMs: Math.round(performance.now() - started),
    status: result.status,
    error: result.error ?? null,
    response: result.status === null ? null : result.response,
    retryAfterMs,
    ...nextStep(
      scheduleOf(deps.schedule, job.kind),
      { attempt: job.attempt - job.attemptsBefore, retryAfterMs },
      result,
    ),
  };
}

/** Without its secret a delivery is not sent: it waits for the next attempt, when the row or the keyring may be right again. */
const UNSIGNED: PostResult = { status: null, error: "not sent: the signing secret cannot be decrypted" };

function sign(
  { secrets, log }: { secrets: SealedSecrets; log: Logger },
  job: Job,
  at: Date,
): Record<string, string> | undefined {
  const { merchantId, mode, secret, stagedSecret } = job;
  const merchant = { id: merchantId, mode };
  try {
    const opened = openRow(secrets, merchant, { secret, staged_secret: stagedSecret });
    return deliveryHeaders({ ...job, secret: opened.secret, stagedSecret: opened.staged_secret, at });
  } catch (error) {
    log.error({ alarm: "secret", merchant_id: merchantId, mode, err: error }, "a signing secret cannot be decrypted");
    return undefined;
  }
}

function nextStep(
  schedule: Schedule,
  failed: { attempt: number; retryAfterMs: number | undefined },
  result: PostResult,
): Pick<AttemptResult, "outcome" | "retryInMs"> {
  if (result.status !== null && result.status >= 200 && result.status < 300) {
    return { outcome: "delivered", retryInMs: null };
  }
  const retryInMs = waitAfter(schedule, failed, Math.random());
  return retryInMs === undefined ? { outcome: "exhausted", retryInMs: null } : { outcome: "pending", retryInMs };
}
