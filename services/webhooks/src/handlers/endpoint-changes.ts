import { answer, type Request } from "@collect/bus";
import { ANNOUNCEMENTS_A_PAGE, acknowledgeEndpointChanges, listEndpointChanges } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { acknowledgeChanges, listUnacknowledged } from "../store/endpoint-health.ts";

/** Live endpoints that began to fail or recovered, for the mails about them. */
export function endpointChangeRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(listEndpointChanges, async () => ({ announcements: await listUnacknowledged(pool, ANNOUNCEMENTS_A_PAGE) })),
    answer(acknowledgeEndpointChanges, async ({ keys }) => {
      await acknowledgeChanges(pool, keys);
      return {};
    }),
  ];
}
