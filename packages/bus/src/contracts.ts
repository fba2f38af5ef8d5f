import { EVENTS, REQUESTS, type ServiceName } from "@collect/contracts";
import type { ByMode } from "@collect/database";
import type { Component } from "@collect/runtime";
import type { Bus } from "./connection/connect.ts";
import { consumeEvents } from "./consuming/consume-events.ts";
import type { Consumer, ConsumerDeps } from "./consuming/consumer.ts";
import { answerDeadLetters } from "./consuming/dead-letter-requests.ts";
import type { Acts } from "./operators/acts.ts";
import { type Request, serveRequests } from "./requests.ts";

type Fulfilled = { requests: Request[] | ByMode<Request[]>; consumers: Consumer[] };
type Deps = Omit<ConsumerDeps, "pools"> & Pick<Fulfilled, "requests"> & { acts?: Acts };
type Consuming = Pick<Fulfilled, "consumers"> & Pick<ConsumerDeps, "pools">;

/**
 * A service on the bus. It does not start unless it consumes exactly the events and answers exactly the requests that
 * name it. An event without its consumer would fill the publisher's stream.
 */
export function fulfillContracts(
  bus: Bus,
  { requests, ...deps }: Deps & (Consuming | { [Absent in keyof Consuming]?: never }),
): Component[] {
  const answered = deps.consumers ? withDeadLetters(requests, answerDeadLetters(bus, deps)) : requests;
  assertFulfilled(deps.service, { requests: answered, consumers: deps.consumers ?? [] });
  return [...(deps.consumers ? [consumeEvents(bus, deps)] : []), serveRequests(bus, { ...deps, requests: answered })];
}

/** A service that consumes has dead letters. */
function withDeadLetters(requests: Fulfilled["requests"], letters: Request[]): ByMode<Request[]> {
  const { live, test } = Array.isArray(requests) ? { live: requests, test: requests } : requests;
  return { live: [...live, ...letters], test: [...test, ...letters] };
}

function assertFulfilled(service: ServiceName, { requests, consumers }: Fulfilled): void {
  const consumed = consumers.map(({ event }) => event.subject);
  const named = EVENTS.filter(({ to }) => to.includes(service)).map(({ subject }) => subject);
  assertSame(`${service} consumes`, consumed, named);
  const owned = REQUESTS.filter(({ to }) => to === service).map(({ subject }) => subject);
  for (const handlers of Array.isArray(requests) ? [requests] : [requests.live, requests.test]) {
    const answered = handlers.map(({ contract }) => contract.subject);
    assertSame(`${service} answers`, answered, owned);
  }
}

/** Throws unless each of the contracts appears once, and no others. */
function assertSame(what: string, subjects: string[], contracts: string[]): void {
  const missing = contracts.filter((subject) => !subjects.includes(subject));
  const unknown = subjects.filter(
    (subject, index) => !contracts.includes(subject) || subjects.indexOf(subject) !== index,
  );
  if (missing.length + unknown.length > 0)
    throw new Error(
      `${what} not what the contracts say; missing: ${missing.join(", ") || "none"}; unexpected: ${unknown.join(", ") || "none"}`,
    );
}
