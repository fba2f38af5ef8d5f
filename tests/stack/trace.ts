import type { OtlpReceiver, ReceivedSpan } from "@collect/servers";
import { until } from "@collect/testing";

/**
 * Waits until the trace that began with this request has reached the collector: whole, with the merchant's answer and the
 * completed intake row. Returns the attempt, and the steps that lead to it.
 */
export function untilFollowed({ spans }: OtlpReceiver, requestId: string | null) {
  return until("the trace of a collection is whole", () => {
    const root = spans.find(({ attributes }) => attributes["collect.request_id"] === requestId);
    const trace = spans.filter(({ traceId }) => traceId === root?.traceId);
    const parentOf = ({ parentSpanId }: ReceivedSpan) => trace.find(({ spanId }) => spanId === parentSpanId);
    const attempt = trace.find(({ name }) => name === "POST");
    const isWhole = trace.every((span) => span === root || parentOf(span));
    if (!root || !attempt || !isWhole || !trace.some(({ name }) => name === "update inbound_transfers"))
      return undefined;
    const way: string[] = [];
    for (let at: ReceivedSpan | undefined = attempt; at; at = parentOf(at)) way.unshift(`${at.service}: ${at.name}`);
    return { traceId: root.traceId, attempt, way };
  });
}
