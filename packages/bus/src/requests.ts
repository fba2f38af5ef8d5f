import {
  type Input,
  Problem,
  parseFields,
  type RequestContext,
  type RequestContract,
  type Result,
  type ServiceName,
} from "@collect/contracts";
import { type ByMode, isTransient } from "@collect/database";
import type { Component, Logger } from "@collect/runtime";
import { fail, inSpanOf, type RequestOutcome, type Span, servedRequestDuration, traceOf } from "@collect/telemetry";
import type { Msg } from "nats";
import { operatorOf } from "./access/operator-of.ts";
import type { Bus } from "./connection/connect.ts";
import { contextOf, type Wire } from "./connection/send-request.ts";
import type { Drainable } from "./connection/subscribe.ts";
import { type Acts, actsAtGateway, asOperator } from "./operators/acts.ts";
import { operatorActOf } from "./operators/operator-act.ts";
import { outcomeOf } from "./outcome.ts";
import { responding } from "./steps.ts";

/**
 * Concurrent requests per mode and process, about as many as it can answer within a deadline. Further requests are
 * refused.
 */
const IN_FLIGHT_MAX: ByMode<number> = { live: 3_072, test: 1_024 };

/** A request and its handler. Created by `answer`, served by `serveRequests`. */
export type Request = { contract: RequestContract; answer(input: unknown, context: RequestContext): Promise<unknown> };

/** Declares the handler of a request. It gets parsed input and who asks, and returns the output, which the contract encodes. */
export function answer<Contract extends RequestContract>(
  contract: Contract,
  handler: (input: Input<Contract>, context: RequestContext) => Promise<Result<Contract>>,
): Request {
  return { contract, answer: (input, context) => handler(input as Input<Contract>, context) };
}

type Served = {
  log: Logger;
  /** Where acts of operators are admitted: at the gateway over the bus, unless this is the gateway. */
  acts?: Acts;
};

/**
 * Serves requests as one of the service's replicas, subscribed to its queue group, with one log line each. Each mode
 * has its own handlers, created with the pool of that mode, which is also the queue of its requests. A request without
 * a mode counts as live. A service without a pool per mode passes one list for both.
 */
export function serveRequests(
  bus: Bus,
  options: Served & { service: ServiceName; requests: Request[] | ByMode<Request[]> },
): Component {
  const { requests, log, acts = actsAtGateway(bus) } = options;
  const { live, test } = Array.isArray(requests) ? { live: requests, test: requests } : requests;
  const subscriptions: Drainable[] = [];
  const inFlight = { live: new Set<Promise<void>>(), test: new Set<Promise<void>>() };

  function accept(handlers: ByMode<Request>, message: Msg): void {
    const input = json(message);
    const mode = modeOf(input);
    const pending = inFlight[mode];
    if (pending.size >= IN_FLIGHT_MAX[mode]) {
      respond(
        message,
        refusal(
          new Problem("service_unavailable", "Too many requests are in progress. Try again shortly.", {
            retryAfterS: 1,
          }),
        ),
      );
      return;
    }
    const work = serve(handlers[mode], { message, input, log, acts }).finally(() => pending.delete(work));
    pending.add(work);
  }

  return {
    name: "requests",
    async start() {
      for (const [index, request] of live.entries()) {
        const handlers = { live: request, test: test[index] ?? request };
        subscriptions.push(bus.serve(request.contract, (message) => accept(handlers, message)));
      }
      await bus.flush();
    },
    async stop() {
      await Promise.all(subscriptions.map((subscription) => subscription.drain()));
      await Promise.all([...inFlight.live, ...inFlight.test]);
    },
  };
}

/** Undefined if the message is not JSON; the contract then refuses it. */
function json(message: Msg): unknown {
  try {
    return message.json();
  } catch {
    return undefined;
  }
}

/** Read before the input is parsed: a request must be cheap until it is in the queue of its mode. */
function modeOf(input: unknown): keyof ByMode<unknown> {
  const { merchant, mode } = Object(input);
  return (Object(merchant).mode ?? mode) === "test" ? "test" : "live";
}

type Serving = Required<Served> & { message: Msg; input: unknown };

function serve(request: Request, serving: Serving): Promise<void> {
  const step = () => responding(request.contract);
  return inSpanOf([traceOf(serving.message.headers)], step, (span) => serveRequest(request, serving, span));
}

async function serveRequest(
  { contract, answer }: Request,
  { message, input: rawInput, log, acts }: Serving,
  span?: Span,
): Promise<void> {
  const started = performance.now();
  const operator = operatorOf(message);
  const context = { ...contextOf(message.headers), ...(operator && { operatorAccount: operator }) };
  const { requestId } = context;
  let outcome = "ok";
  let ended: RequestOutcome = "ok";
  try {
    const input = parseFields(contract.input, rawInput);
    const work = async (context: RequestContext) => contract.output.encode(await answer(input, context));
    const act = operatorActOf(contract, message);
    const data = act ? await asOperator({ contract, act, message, acts, log }, context, work) : await work(context);
    respond(message, { data });
  } catch (error) {
    const problem = asProblem(error);
    outcome = problem.code;
    ended = outcomeOf(problem);
    if (ended !== "refused") fail(span, outcome);
    if (problem.cause ?? problem !== error)
      log.error({ request_id: requestId, subject: contract.subject, err: problem.cause ?? error }, "request failed");
    respond(message, refusal(problem));
  }
  const duration = performance.now() - started;
  servedRequestDuration.observe({ subject: contract.subject, outcome: ended }, duration / 1_000);
  log.info(
    {
      request_id: requestId,
      subject: contract.subject,
      ...(operator && { operator }),
      outcome,
      duration_ms: Math.round(duration),
    },
    "request",
  );
}

/** If the database is down or busy, the caller should retry; every other error is our fault. */
function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isTransient(error)) return new Problem("service_unavailable", "Temporarily unavailable. Try again shortly.");
  return new Problem("internal_error", "Something went wrong on our side. Quote the request id if you contact us.");
}

const refusal = ({ code, detail, errors, retryAfterS, proof }: Problem): Wire => ({
  problem: {
    ...{ code, detail },
    ...(errors && { errors }),
    ...(retryAfterS !== undefined && { retryAfterS }),
    ...(proof && { proof }),
  },
});

function respond(message: Msg, wire: Wire): void {
  message.respond(JSON.stringify(wire));
}
