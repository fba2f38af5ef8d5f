import type { z } from "zod";

/** The services that speak on the bus. */
export const SERVICES = ["gateway", "accounts", "ledger", "payments", "webhooks", "checkout", "dashboard"] as const;
export type ServiceName = (typeof SERVICES)[number];

/** A fact that happened, published once committed and kept until every consumer has acknowledged it. */
export type FactEvent<Data extends z.ZodType = z.ZodType> = {
  /** `{service}.{noun}.{what happened}.v{n}`; on the wire `.{mode}.{partition}` follows. */
  subject: string;
  from: ServiceName;
  to: readonly ServiceName[];
  /** One sentence for `docs/events.md`. */
  meaning: string;
  /** What makes a repeat of this fact the same fact: the field of that name. */
  naturalKey: keyof z.output<Data> & string;
  /** Only copies are made of it, and they are repaired by reading: it is not kept for a consumer that is away for long. */
  forCopies?: true;
  data: Data;
};
export type Fact<Event> = Event extends FactEvent<infer Data> ? z.output<Data> : never;

/** The sender of a request: a service, or an operator's tool. */
export type Caller = ServiceName | "operator";

/** A question or a command: request/reply to a queue group, with a deadline. */
export type RequestContract<In extends z.ZodObject = z.ZodObject, Out extends z.ZodType = z.ZodType> = {
  subject: string;
  /** Who may send it. The bus refuses it to every other service. */
  callers: readonly Caller[];
  /** Who answers it: the first part of its subject. */
  to: ServiceName;
  /** One sentence for the reader of the contract. */
  meaning: string;
  /** In milliseconds; 5,000 unless said otherwise. */
  deadlineMs: number;
  input: In;
  output: Out;
};
/** What the caller sends and gets: the JSON itself. Only the service that answers parses and encodes. */
export type WireInput<Request> = Request extends RequestContract<infer In> ? z.input<In> : never;
export type WireResult<Request> = Request extends RequestContract<z.ZodObject, infer Out> ? z.input<Out> : never;
/** What the handler of a request takes and gives. */
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

/** Every event that is declared, in the order of events.ts. */
export const EVENTS: FactEvent[] = [];

/** Every request that is declared, in the order in which the files are read. */
export const REQUESTS: RequestContract[] = [];
