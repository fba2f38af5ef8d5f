import { answer, type Epochs, type Request } from "@collect/bus";
import {
  decodeCursor,
  listWebhookHolds,
  type MerchantScope,
  Mode,
  pauseWebhookEndpoint,
  pauseWebhookEndpointAsOperator,
  resumeWebhookEndpoint,
  toPage,
  UtcInstant,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { z } from "zod";
import { toHoldResponse, toListedHold } from "../domain/hold.ts";
import { noUrl } from "../domain/refusals.ts";
import { findHold, pause, resume } from "../store/holds.ts";
import { type ListedHold, listHolds } from "../store/listed-holds.ts";
import { findEndpoint } from "../store/webhook-endpoints.ts";

/**
 * Pausing an endpoint, and trying it again. Both may be repeated. While a recovery decides which endpoints have to be looked at, none
 * is resumed: it sends nothing, and would pause the endpoint again after a crash.
 */
export function holdRequests({ pool, lists, epochs }: { pool: Pool; lists: Pool; epochs: Epochs }): Request[] {
  const paused = async (merchant: MerchantScope) => {
    if (!(await pause(pool, merchant))) throw noUrl(await findEndpoint(pool, merchant));
    return { hold: toHoldResponse(await findHold(lists, merchant)) };
  };
  return [
    answer(pauseWebhookEndpoint, ({ merchant }) => paused(merchant)),
    answer(pauseWebhookEndpointAsOperator, ({ merchant }) => paused(merchant)),
    answer(resumeWebhookEndpoint, async ({ merchant }) => {
      epochs.assertCurrent();
      await resume(pool, merchant);
      return { hold: toHoldResponse(await findHold(lists, merchant)) };
    }),
    answer(listWebhookHolds, async ({ limit, after, ...filter }) => {
      const rows = await listHolds(lists, { ...filter, after: decodeCursor(after, PLACE), rows: limit + 1 });
      const cursor = ({ since, merchant_id, mode }: ListedHold) => [since, merchant_id, mode];
      return toPage(rows, { limit, cursor, toResponse: toListedHold });
    }),
  ];
}

/** The order of the list: since, merchant and mode. */
const PLACE = [UtcInstant, z.string(), Mode];
