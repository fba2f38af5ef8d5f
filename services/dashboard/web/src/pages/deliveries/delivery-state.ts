import type { RowOf } from "../../api/calls.ts";

type Delivery = RowOf<"deliveries">;

/** What is tried again after a failure is failing; what waits for its first attempt is only pending. */
export function stateOf({ status, attempts }: Pick<Delivery, "status" | "attempts">): string {
  return status === "pending" && attempts > 0 ? "failing" : status;
}

/** Retries wake no page: a page with a delivery that is not over reads it again by itself. */
export function isUnderWay({ status }: Pick<Delivery, "status">): boolean {
  return status === "pending";
}
