import {
  type Answer,
  type Asked,
  fieldErrors,
  invalidFields,
  Problem,
  type RequestContract,
  type ServiceName,
} from "@collect/contracts";
import { isTransient } from "@collect/database";
import type { Logger, Part } from "@collect/runtime";
import type { Msg, Subscription } from "@nats-io/transport-node";
import { REQUEST_ID, type Wire } from "./ask.ts";
import type { Bus } from "./connect.ts";

/** Requests a process holds at once, about what it answers within a deadline; above it the caller is told at once. */
const IN_FLIGHT_MAX = 4_096;

/** A request and who answers it. Made by `answer`, started by `serveRequests`. */
export type Request = { contract: RequestContract; answer(input: unknown, requestId: string): Promise<unknown> };

/** Declares the handler of a request. It gets parsed input and gives what the contract's output encodes. */
export function answer<Contract extends RequestContract>(
  contract: Contract,
  handler: (input: Asked<Contract>, requestId: string) => Promise<Answer<Contract>>,
): Request {
  return { contract, answer: (input, requestId) => handler(input as Asked<Contract>, requestId) };
}

/** Answers requests as one of the service's replicas: subscribed in its queue group, one log line each. */
export function serveRequests(bus: Bus, options: { service: ServiceName; log: Logger; requests: Request[] }): Part {
  const subscriptions: Subscription[] = [];
  const inFlight = new Set<Promise<void>>();
  return {
    name: "requests",
    async start() {
      for (const request of options.requests) {
        const callback = (error: Error | null, message: Msg) => {
          if (error) return;
          if (inFlight.size >= IN_FLIGHT_MAX)
            return respond(message, refusal(new Problem("service_unavailable", "Too busy. Try again soon.")));
          const work = serve(request, message, options.log).finally(() => inFlight.delete(work));
          inFlight.add(work);
        };
        subscriptions.push(bus.nats.subscribe(request.contract.subject, { queue: options.service, callback }));
      }
      await bus.nats.flush();
    },
    async stop() {
      await Promise.all(subscriptions.map((subscription) => subscription.drain()));
      await Promise.all(inFlight);
    },
  };
}

async function serve({ contract, answer }: Request, message: Msg, log: Logger): Promise<void> {
  const started = performance.now();
  const requestId = message.headers?.get(REQUEST_ID) ?? "";
  let outcome = "ok";
  try {
    const input = contract.input.safeParse(message.json());
    if (!input.success) throw invalidFields(fieldErrors(input.error));
    const data = contract.output.encode(await answer(input.data, requestId));
    respond(message, { data });
  } catch (error) {
    const problem = asProblem(error);
    outcome = problem.code;
    if (problem.cause ?? problem !== error)
      log.error({ request_id: requestId, subject: contract.subject, err: problem.cause ?? error }, "request failed");
    respond(message, refusal(problem));
  }
  log.info(
    { request_id: requestId, subject: contract.subject, outcome, duration_ms: Math.round(performance.now() - started) },
    "request",
  );
}

/** A database that is down or busy is the caller's to try again; everything else is ours. */
function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isTransient(error)) return new Problem("service_unavailable", "Temporarily unavailable. Try again soon.");
  return new Problem("internal_error", "Nothing more is known here; the request id helps us find it.");
}

const refusal = ({ code, detail, errors }: Problem): Wire => ({ problem: { code, detail, ...(errors && { errors }) } });

function respond(message: Msg, wire: Wire): void {
  message.respond(JSON.stringify(wire));
}
