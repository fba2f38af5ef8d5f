import { answer, type Epochs, type Request } from "@collect/bus";
import { pauseWebhookEndpoint, resumeWebhookEndpoint } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { toHoldResponse } from "../domain/hold.ts";
import { noUrl } from "../domain/refusals.ts";
import { findHold, pause, resume } from "../store/holds.ts";
import { findEndpoint } from "../store/webhook-endpoints.ts";

/**
 * Pausing an endpoint, and trying it again. Both may be repeated. While a recovery decides which endpoints have to be looked at, none
 * is resumed: it sends nothing, and would pause the endpoint again after a crash.
 */
export function holdRequests({ pool, lists, epochs }: { pool: Pool; lists: Pool; epochs: Epochs }): Request[] {
  return [
    answer(pauseWebhookEndpoint, async ({ merchant }) => {
      if (!(await pause(pool, merchant))) throw noUrl(await findEndpoint(pool, merchant));
      return { hold: toHoldResponse(await findHold(lists, merchant)) };
    }),
    answer(resumeWebhookEndpoint, async ({ merchant }) => {
      epochs.assertCurrent();
      await resume(pool, merchant);
      return { hold: toHoldResponse(await findHold(lists, merchant)) };
    }),
  ];
}
