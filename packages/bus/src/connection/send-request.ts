import { randomUUID } from "node:crypto";
import {
  Actor,
  type FieldError,
  type OperatorSignature,
  PROBLEMS,
  Problem,
  type ProblemCode,
  type ProofChallenge,
  type RequestContext,
  type RequestContract,
  type WireInput,
  type WireResult,
} from "@collect/contracts";
import { type RequestOutcome, sentRequestDuration } from "@collect/telemetry";
import { headers, type MsgHdrs, type NatsConnection, RequestError, TimeoutError } from "nats";
import { addSignature, sign } from "../operators/signature.ts";
import { outcomeOf } from "../outcome.ts";
import type { Connection } from "./connection.ts";
import { createRequester } from "./responses.ts";

/** The headers of a request: the id of the call that it belongs to, the client's id of it, and who acts. */
const HEADERS = { requestId: "Request-Id", clientRequestId: "Client-Request-Id", actor: "Actor" } as const;

/** A reply on the wire. */
export type Wire = { data: unknown } | { problem: WireProblem };
type WireProblem = {
  code: ProblemCode;
  detail: string;
  errors?: FieldError[];
  retryAfterS?: number;
  proof?: ProofChallenge;
};

/**
 * The proposal is what an operator approves by sending exactly its input again. A signature is an operator's over exactly this
 * request, for a process that has no operator's key: the operators' pages.
 */
export type SentContext = Partial<RequestContext> & { proposal?: string; signature?: OperatorSignature };

export function createSendRequest(
  nats: NatsConnection,
  {
    connection,
    operatorSeed,
    ...options
  }: { connection: Connection; operatorSeed?: string } & Parameters<typeof createRequester>[1],
) {
  const { caller } = options;
  const send = createRequester(nats, options);

  return async function request<Contract extends RequestContract>(
    contract: Contract,
    data: WireInput<Contract>,
    context: SentContext = {},
  ): Promise<WireResult<Contract>> {
    const started = performance.now();
    let outcome: RequestOutcome = "ok";
    try {
      return await exchange(contract, data, context);
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      sentRequestDuration.observe({ subject: contract.subject, outcome }, (performance.now() - started) / 1_000);
    }
  };

  async function exchange<Contract extends RequestContract>(
    contract: Contract,
    data: WireInput<Contract>,
    context: SentContext,
  ): Promise<WireResult<Contract>> {
    if (!contract.callers.some((name) => name === caller))
      throw new Error(`${contract.subject} does not name ${caller} as a caller`);
    if (!connection.isUp)
      throw new Problem("service_unavailable", "The request could not be forwarded. Try again shortly.");
    const [payload, { requestId: request_id, meta }] = [JSON.stringify(data), contextHeaders(caller, context)];
    if (typeof contract.operator === "object") {
      const order = { subject: contract.subject, body: payload, request_id, proposal: context.proposal };
      const signature = context.signature ?? (operatorSeed && sign(order, operatorSeed));
      if (signature) addSignature(meta, signature);
    }
    const reply = await send({ contract, payload, headers: meta }).catch((cause) => {
      throw new Problem("service_unavailable", unavailableDetail(cause), { cause });
    });
    const wire = reply.json<Wire>();
    if ("problem" in wire) throw asProblem(wire.problem);
    return wire.data as WireResult<Contract>;
  }
}

/** A service that passes no actor acts for itself, as does one that carries out what an operator signed. */
function contextHeaders(
  caller: string,
  { requestId = randomUUID(), clientRequestId, actor }: SentContext,
): { meta: MsgHdrs; requestId: string } {
  const meta = headers();
  meta.set(HEADERS.requestId, requestId);
  if (clientRequestId) meta.set(HEADERS.clientRequestId, clientRequestId);
  const own: Actor = { kind: "system", service: caller };
  meta.set(HEADERS.actor, JSON.stringify(actor && actor.kind !== "operator" ? actor : own));
  return { meta, requestId };
}

/** The context of a received request. Services of the previous release send no actor. */
export function contextOf(meta: MsgHdrs | undefined): RequestContext {
  const [actor, clientRequestId] = [meta?.get(HEADERS.actor), meta?.get(HEADERS.clientRequestId)];
  return {
    requestId: meta?.get(HEADERS.requestId) ?? "",
    ...(clientRequestId && { clientRequestId }),
    actor: actor ? parseActor(actor) : { kind: "anonymous" },
  };
}

/**
 * An actor of a later release, or one that cannot be read, is anonymous; so is an operator on a service's word: only a verified
 * signature makes one.
 */
function parseActor(text: string): Actor {
  try {
    const actor = Actor.parse(JSON.parse(text));
    return actor.kind === "operator" ? { kind: "anonymous" } : actor;
  } catch {
    return { kind: "anonymous" };
  }
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
