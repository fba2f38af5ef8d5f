import { answer, type Request } from "@collect/bus";
import { Problem, simulateResponses } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { collectionKey } from "../domain/event.ts";
import { noUrl } from "../domain/refusals.ts";
import { simulate } from "../store/simulated-responses.ts";
import { findEndpoint } from "../store/webhook-endpoints.ts";

/** What a sandbox scenario has the merchant's server do with the first attempts to deliver an event. */
export function simulatedResponseRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(simulateResponses, async ({ merchant, intake_id, response, times }) => {
      if (merchant.mode !== "test")
        throw new Problem("test_key_required", "Responses can be simulated in test mode only.");
      const responses = Array.from({ length: times }, () => response);
      if (!(await simulate(pool, merchant, { key: collectionKey(intake_id), responses })))
        throw noUrl(await findEndpoint(pool, merchant));
      return {};
    }),
  ];
}
