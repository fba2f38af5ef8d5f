import type { OtlpReceiver, ReceivedSpan } from "@collect/servers";
import { until } from "@collect/testing";
import type { Answer } from "./client.ts";

/**
 * Waits until the trace of a call has reached the collector as a whole, with the step `to` and also one of that name. Returns
 * the step, and the way that leads to it.
 */
export function untilFollowed({ spans }: OtlpReceiver, from: Answer, to: string, also: string) {
  const requestId = from.headers.get("x-request-id");
  return until(`the trace of a call leads to ${to}`, () => {
    const root = spans.find(({ attributes }) => attributes["collect.request_id"] === requestId);
    const trace = spans.filter(({ traceId }) => traceId === root?.traceId);
    const parentOf = ({ parentSpanId }: ReceivedSpan) => trace.find(({ spanId }) => spanId === parentSpanId);
    const end = trace.find((span) => label(span) === to);
    const isWhole = trace.every((span) => span === root || parentOf(span));
    if (!root || !end || !isWhole || !trace.some(({ name }) => name === also)) return undefined;
    const way: string[] = [];
    for (let at: ReceivedSpan | undefined = end; at; at = parentOf(at)) way.unshift(label(at));
    return { traceId: root.traceId, end, way };
  });
}

const label = ({ service, name }: ReceivedSpan): string => `${service}: ${name}`;
