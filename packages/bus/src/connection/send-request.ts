import {
  type Caller,
  type FieldError,
  PROBLEMS,
  Problem,
  type ProblemCode,
  type RequestContract,
  type WireInput,
  type WireResult,
} from "@collect/contracts";
import { headers, type NatsConnection, RequestError, TimeoutError } from "nats";
import type { Connection } from "./connection.ts";

/** The header with the request id of the HTTP call that a request belongs to. */
export const REQUEST_ID = "Request-Id";

/** A reply on the wire. */
export type Wire = { data: unknown } | { problem: WireProblem };
type WireProblem = { code: ProblemCode; detail: string; errors?: FieldError[]; retryAfterS?: number };

export function createSendRequest(
  nats: NatsConnection,
  { caller, connection }: { caller: Caller; connection: Connection },
) {
  return async function request<Contract extends RequestContract>(
    contract: Contract,
    data: WireInput<Contract>,
    requestId = "",
  ): Promise<WireResult<Contract>> {
    if (!contract.callers.includes(caller)) throw new Error(`${contract.subject} does not name ${caller} as a caller`);
    if (!connection.isUp)
      throw new Problem("service_unavailable", "The request could not be forwarded. Try again shortly.");
    const meta = headers();
    meta.set(REQUEST_ID, requestId);
    const reply = await nats
      .request(contract.subject, JSON.stringify(data), { timeout: contract.deadlineMs, headers: meta })
      .catch((cause) => {
        throw new Problem("service_unavailable", unavailableDetail(cause), { cause });
      });
    const wire = reply.json<Wire>();
    if ("problem" in wire) throw asProblem(wire.problem);
    return wire.data as WireResult<Contract>;
  };
}

/** A service of a later release may have codes that this one does not know. */
function asProblem({ code, detail, ...options }: WireProblem): Problem {
  return new Problem(Object.hasOwn(PROBLEMS, code) ? code : "internal_error", detail, options);
}

function unavailableDetail(cause: unknown): string {
  if (cause instanceof TimeoutError) return "The service behind this request did not respond in time. Try again.";
  if (cause instanceof RequestError) return "The service behind this request is not running. Try again shortly.";
  return "The request could not be forwarded. Try again shortly.";
}
