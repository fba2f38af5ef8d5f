import { answer, type Request } from "@collect/bus";
import {
  browseDeliveries,
  DELIVERY_STATUSES,
  getDelivery,
  getWebhookHealth,
  Problem,
  toPage,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { toDeliveryResponse } from "../domain/delivery.ts";
import { toHoldResponse } from "../domain/hold.ts";
import { numbersAmong, placeIn, requestedPage, searchedNumber, storable } from "../domain/page.ts";
import { constantHeaders } from "../domain/signature.ts";
import { attemptsOf } from "../store/attempt-log.ts";
import { type DeliveryRow, findDelivery, pageOfDeliveries } from "../store/delivery-log.ts";
import { healthOf } from "../store/health.ts";
import { findHold } from "../store/holds.ts";

/** The deliveries of a merchant and mode, with their attempts, and the health of the endpoint. */
export function deliveryRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(browseDeliveries, async ({ merchant, limit, status, event, search, references, ...requested }) => {
      const page = requestedPage(requested);
      const rows = await pageOfDeliveries(pool, merchant, {
        page,
        rows: limit + 1,
        ...filterOf(status),
        event: storable(event),
        search,
        number: searchedNumber(search),
        selected: references && numbersAmong(references),
      });
      const cursor = ({ number, created_at }: DeliveryRow) => placeIn(page, number, created_at);
      return toPage(rows, { limit, cursor, toResponse: toDeliveryResponse });
    }),
    answer(getDelivery, async ({ merchant, number }) => {
      const delivery = await findDelivery(pool, merchant, number);
      if (!delivery) throw new Problem("not_found", "No delivery has this number.");
      const attempts = await attemptsOf(pool, merchant, [delivery.number]);
      const { sequence, event: kind } = delivery;
      return {
        delivery: toDeliveryResponse(delivery),
        request: {
          headers: constantHeaders({
            merchantId: merchant.id,
            mode: merchant.mode,
            kind,
            sequence,
            number: delivery.number,
          }),
          body: delivery.body.toString(),
        },
        attempts,
      };
    }),
    answer(getWebhookHealth, async ({ merchant }) => {
      const [health, hold] = await Promise.all([healthOf(pool, merchant), findHold(pool, merchant)]);
      if (!health) throw new Error("a statement without a table returned no row");
      return { ...health, hold: toHoldResponse(hold) };
    }),
  ];
}

/** "failing" is not a stored status: pending, with a failed attempt in the current round. */
function filterOf(status: (typeof DELIVERY_STATUSES)[number] | "failing" | "all") {
  if (status === "failing") return { statuses: ["pending" as const], onlyFailing: true };
  return { statuses: status === "all" ? DELIVERY_STATUSES : [status], onlyFailing: false };
}
