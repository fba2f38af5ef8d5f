import type { z } from "zod";

/** The services that are connected to the bus. */
export const SERVICES = ["gateway", "accounts", "ledger", "payments", "webhooks", "checkout", "dashboard"] as const;
export type ServiceName = (typeof SERVICES)[number];

/** A fact, published after its commit and stored until every consumer has acknowledged it. */
export type FactEvent<Data extends z.ZodType = z.ZodType> = {
  /** `{service}.{noun}.{what happened}.v{n}`; on the wire `.{mode}.{partition}` follows. */
  subject: string;
  from: ServiceName;
  to: readonly ServiceName[];
  /** One sentence for `docs/events.md`. */
  meaning: string;
  /** The field that identifies the fact: a message with the same value is a duplicate. */
  naturalKey: keyof z.output<Data> & string;
  /** Consumers only store copies and repair them by reading, so it is not retained for a consumer that is down for long. */
  forCopies?: true;
  data: Data;
};
export type Fact<Event> = Event extends FactEvent<infer Data> ? z.output<Data> : never;

/** The sender of a request: a service, or an operator's tool. */
export type Caller = ServiceName | "operator";

/** A query or a command: request/reply to a queue group, with a deadline. */
export type RequestContract<In extends z.ZodObject = z.ZodObject, Out extends z.ZodType = z.ZodType> = {
  subject: string;
  /** The services that may send it; the bus denies it to all others. */
  callers: readonly Caller[];
  /** The service that responds: the first token of the subject. */
  to: ServiceName;
  /** One sentence for readers of the contract. */
  meaning: string;
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
  const declared = { deadlineMs: 5_000, ...contract, to };
  REQUESTS.push(declared);
  return declared;
}

/** Every declared event, in the order of events.ts. */
export const EVENTS: FactEvent[] = [];

/** Every declared request, in import order. */
export const REQUESTS: RequestContract[] = [];
