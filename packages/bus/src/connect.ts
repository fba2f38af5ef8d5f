import type { Ask, Fact, FactEvent, Reply, RequestContract, ServiceName } from "@collect/contracts";
import type { Logger, Part } from "@collect/runtime";
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { askOver } from "./ask.ts";
import { watchConnection } from "./connection.ts";
import { createPublisher } from "./publish.ts";
import { backlogOf } from "./streams.ts";

export type Bus = {
  /** Asks a service and waits for its answer until the contract's deadline. Throws the Problem it answered with, or service_unavailable. */
  request<Contract extends RequestContract>(
    contract: Contract,
    data: Ask<Contract>,
    requestId?: string,
  ): Promise<Reply<Contract>>;
  /** Publishes facts and returns once the broker has stored all of them for every consumer. Facts travel in messages of many. */
  publish<Event extends FactEvent>(event: Event, facts: Fact<Event>[]): Promise<void>;
  /** Facts as they pass by, with no promise to see each: only good for being woken. */
  listen<Event extends FactEvent>(event: Event, onFacts: (facts: unknown[]) => void): void;
  /** Messages that the durables of these events have not taken yet. */
  backlog(events: readonly FactEvent[]): Promise<number>;
  /** Since when the broker has been there without a break: what happened before may never have been told. */
  connectedSince(): Date;
  nats: NatsConnection;
  jetstream: JetStreamClient;
  manager: JetStreamManager;
};

/** One connection a process. It reconnects for ever; what is asked or published while it is down fails and is repeated by whoever promised it. */
export async function connectBus(options: { url: string; name: ServiceName | string; log: Logger }): Promise<Bus> {
  const nats = await connect({
    servers: options.url,
    name: options.name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    waitOnFirstConnect: false,
    // Otherwise every publish and request makes two errors with their stacks beforehand: 5 % of a busy stage's time.
    noAsyncTraces: true,
  });
  const js = jetstream(nats, { timeout: 5_000 });
  const manager = await jetstreamManager(nats, { checkAPI: false, timeout: 5_000 });
  const connection = watchConnection(nats, options.log);
  return {
    nats,
    jetstream: js,
    manager,
    request: askOver(nats, connection),
    publish: createPublisher(js, manager, connection),
    listen(event, onFacts) {
      nats.subscribe(`${event.subject}.>`, {
        callback: (error, message) => {
          if (error) return;
          // What is thrown in here would end the connection's reader for good.
          try {
            onFacts(message.json<unknown[]>());
          } catch (cause) {
            options.log.warn({ subject: event.subject, err: cause }, "a message was passed over");
          }
        },
      });
    },
    backlog: (events) => backlogOf(manager, events),
    connectedSince: () => connection.since,
  };
}

/** The connection as a part of a service: opened before it, drained after everything that uses it. */
export function bus(connection: Bus): Part {
  return {
    name: "bus",
    start: async () => void (await connection.nats.flush()),
    stop: () => connection.nats.close(),
  };
}
