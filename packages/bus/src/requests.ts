import {
  type Answer,
  type Ask,
  type Asked,
  type FieldError,
  fieldErrors,
  Problem,
  type ProblemCode,
  type Reply,
  type RequestContract,
  type ServiceName,
} from "@collect/contracts";
import { isTransient } from "@collect/database";
import type { Logger, Part } from "@collect/runtime";
import {
  headers,
  type Msg,
  type NatsConnection,
  RequestError,
  type Subscription,
  TimeoutError,
} from "@nats-io/transport-node";
import type { Bus, Connection } from "./connect.ts";

const REQUEST_ID = "Request-Id";
/** Requests a process holds at once, about what it answers within a deadline; above it the caller is told at once. */
const IN_FLIGHT_MAX = 4_096;

type Wire = { data: unknown } | { problem: { code: ProblemCode; detail: string; errors?: FieldError[] } };

export function askOver(nats: NatsConnection, connection: Connection) {
  return async function request<Contract extends RequestContract>(
    contract: Contract,
    data: Ask<Contract>,
    requestId = "",
  ): Promise<Reply<Contract>> {
    if (!connection.isUp) throw new Problem("service_unavailable", "The call could not be passed on. Try again soon.");
    const meta = headers();
    meta.set(REQUEST_ID, requestId);
    const reply = await nats
      .request(contract.subject, JSON.stringify(data), { timeout: contract.deadlineMs, headers: meta })
      .catch((cause) => {
        throw new Problem("service_unavailable", unavailable(cause), { cause });
      });
    const wire = reply.json<Wire>();
    if ("problem" in wire) throw new Problem(wire.problem.code, wire.problem.detail, { errors: wire.problem.errors });
    return wire.data as Reply<Contract>;
  };
}

function unavailable(cause: unknown): string {
  if (cause instanceof TimeoutError) return "The service behind this call did not answer in time. Try again.";
  if (cause instanceof RequestError) return "The service behind this call is not running. Try again soon.";
  return "The call could not be passed on. Try again soon.";
}

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
    if (!input.success)
      throw new Problem("validation_failed", "Some fields are missing or not right.", {
        errors: fieldErrors(input.error),
      });
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
