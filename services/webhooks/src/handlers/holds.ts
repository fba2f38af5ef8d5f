import { answer, type Request } from "@collect/bus";
import { pauseWebhookEndpoint, resumeWebhookEndpoint } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { secondsLeft } from "../domain/hold.ts";
import { noUrl } from "../domain/refusals.ts";
import { findHold, type HoldRow, pause, resume } from "../store/holds.ts";
import { findEndpoint } from "../store/webhook-endpoints.ts";

/** Pausing an endpoint, and trying it again. Both may be repeated. */
export function holdRequests({ pool, lists }: { pool: Pool; lists: Pool }): Request[] {
  return [
    answer(pauseWebhookEndpoint, async ({ merchant }) => {
      if (!(await pause(pool, merchant))) throw noUrl(await findEndpoint(pool, merchant));
      return { hold: toHoldResponse(await findHold(lists, merchant)) };
    }),
    answer(resumeWebhookEndpoint, async ({ merchant }) => {
      await resume(pool, merchant);
      return { hold: toHoldResponse(await findHold(lists, merchant)) };
    }),
  ];
}

export function toHoldResponse(row: HoldRow | undefined) {
  if (!row) return null;
  const { state, since, waiting, next_batch_at } = row;
  return {
    state,
    since,
    waiting,
    next_attempt_at: state === "held" ? next_batch_at : null,
    seconds_left: state === "releasing" ? secondsLeft(row) : null,
  };
}
