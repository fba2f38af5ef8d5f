import type { RowOf } from "../../api/calls.ts";

type Delivery = RowOf<"deliveries">;

/** A delivery that is retried after a failure is failing; one that waits for its first attempt is pending. */
export function stateOf({ status, attempts }: Pick<Delivery, "status" | "attempts">): string {
  return status === "pending" && attempts > 0 ? "failing" : status;
}

/** Retries send no live update: a page with an unfinished delivery polls. */
export function isUnderWay({ status }: Pick<Delivery, "status">): boolean {
  return status === "pending";
}
