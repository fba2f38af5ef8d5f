import type { z } from "zod";

/** The services that are connected to the bus. */
export const SERVICES = [
  "gateway",
  "accounts",
  "ledger",
  "payments",
  "webhooks",
  "checkout",
  "dashboard",
  "statements",
] as const;
export type ServiceName = (typeof SERVICES)[number];

/** A fact, published after its commit and stored until every consumer has acknowledged it. */
export type FactEvent<Data extends z.ZodType = z.ZodType> = {
  /** `{service}.{noun}.{what happened}.v{n}`; on the wire `.{mode}.{partition}` follows. */
  subject: string;
  from: ServiceName;
  to: readonly ServiceName[];
  /** Services that also subscribe to it plainly, only to be woken. */
  listeners?: readonly ServiceName[];
  /** Services that read how much its consumers have still to do. */
  backlogReaders?: readonly ServiceName[];
  /** One sentence for `docs/events.md`. */
  meaning: string;
  /** The field that identifies the fact: a message with the same value is a duplicate. */
  naturalKey: keyof z.output<Data> & string;
  /**
   * The fields that decide about money, by path. The publisher proves them with a MAC in the field `mac`; the consumers
   * refuse a fact without a valid one, no matter which user published it.
   */
  sealed?: readonly string[];
  /**
   * The same for fields added later: a fact without them has the MAC that a release without them computes, and one that has
   * lost or gained them on the way has none.
   */
  sealedWhenPresent?: readonly string[];
  /** Consumers only store copies and repair them by reading, so it is not retained for a consumer that is down for long. */
  forCopies?: true;
  data: Data;
};
export type Fact<Event> = Event extends FactEvent<infer Data> ? z.output<Data> : never;

/**
 * What services prove to each other: payouts between payments and the ledger; orders of payouts, of keys and of what
 * limits them between the services that take them and those that carry them out.
 */
export type SealName = "payouts" | "orders";

/** The sender of a request: a service, or an operator's tool. */
export type Caller = ServiceName | "operator";

/** What a request is when an operator sends it: a read, a simulation with test money, or an act, which the audit log records. */
export type OperatorUse = "read" | "simulation" | OperatorAct;
export type OperatorAct = {
  /** As the audit log calls it: `fee.set`. */
  action: string;
  /** The fields of the input that describe it there. Never secrets. */
  detail?: readonly string[];
  /** The fields of the output to record once it is done. Never secrets. */
  result?: readonly string[];
  /** With four eyes on, a second operator has to approve it: always, or beyond what one may do alone in an emergency. */
  fourEyes?: true | "beyond_emergency";
};

/** A query or a command: request/reply to a queue group, with a deadline. */
export type RequestContract<In extends z.ZodObject = z.ZodObject, Out extends z.ZodType = z.ZodType> = {
  subject: string;
  /** The services that may send it; the bus denies it to all others. */
  callers: readonly Caller[];
  /** Present exactly if operators are among the callers. */
  operator?: OperatorUse;
  /** Whether the process of the operators' pages may send it: of what operators may, what its table has. */
  operatorPages?: true;
  /** The service that responds: the first token of the subject. */
  to: ServiceName;
  /** One sentence for readers of the contract. */
  meaning: string;
  /**
   * Moves money, or gives access to it, on the word of the caller: request and response each carry a MAC under a key that
   * only these services hold, and are refused without. An operator's signature proves an operator's request instead.
   */
  sealed?: SealName;
  /** In milliseconds; 5,000 by default. */
  deadlineMs: number;
  input: In;
  output: Out;
};
/** What the caller sends and receives: the JSON itself. Only the responding service parses and encodes. */
export type WireInput<Request> = Request extends RequestContract<infer In> ? z.input<In> : never;
export type WireResult<Request> = Request extends RequestContract<z.ZodObject, infer Out> ? z.input<Out> : never;
/** What the handler of a request receives and returns. */
export type Input<Request> = Request extends RequestContract<infer In> ? z.output<In> : never;
export type Result<Request> = Request extends RequestContract<z.ZodObject, infer Out> ? z.output<Out> : never;

export function event<Data extends z.ZodType>(contract: FactEvent<Data>): FactEvent<Data> {
  EVENTS.push(contract);
  return contract;
}

export function request<In extends z.ZodObject, Out extends z.ZodType>(
  contract: Omit<RequestContract<In, Out>, "to" | "deadlineMs"> & { deadlineMs?: number },
): RequestContract<In, Out> {
  const to = SERVICES.find((service) => contract.subject.startsWith(`${service}.`));
  if (!to) throw new Error(`no service owns ${contract.subject}`);
  if (contract.callers.includes("operator") !== (contract.operator !== undefined))
    throw new Error(`${contract.subject} does not say what it is for an operator`);
  if (contract.operatorPages && (!contract.operator || contract.operator === "simulation"))
    throw new Error(`${contract.subject} is neither a read nor an act of operators: their pages do not send it`);
  const declared = { deadlineMs: 5_000, ...contract, to };
  REQUESTS.push(declared);
  return declared;
}

/** Every declared event, in the order of events.ts. */
export const EVENTS: FactEvent[] = [];

/** Every declared request, in import order. */
export const REQUESTS: RequestContract[] = [];
