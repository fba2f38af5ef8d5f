import type { Caller, Fact, FactEvent, RequestContract, WireInput, WireResult } from "@collect/contracts";
import type { Component, Logger } from "@collect/runtime";
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "nats";
import { watchConnection } from "./connection.ts";
import { createPublisher } from "./publish.ts";
import { createSendRequest } from "./send-request.ts";
import { backlogOf, type Mode } from "./streams.ts";

export type Bus = {
  /**
   * Sends a request and waits for the response until the contract's deadline. Throws the Problem of the response, or
   * service_unavailable.
   */
  request<Contract extends RequestContract>(
    contract: Contract,
    data: WireInput<Contract>,
    requestId?: string,
  ): Promise<WireResult<Contract>>;
  /**
   * Publishes facts and returns once the broker has stored all of them for every consumer. A message carries many
   * facts.
   */
  publish<Event extends FactEvent>(event: Event, facts: Fact<Event>[]): Promise<void>;
  /**
   * Subscribes to facts without delivery guarantees: use it only as a wake-up. Messages are not parsed while `isWanted`
   * is false.
   */
  listen<Event extends FactEvent>(event: Event, onFacts: (facts: unknown[]) => void, isWanted?: () => boolean): void;
  /** The number of pending and unacknowledged messages in the durables of these events in this mode. */
  backlog(events: readonly FactEvent[], mode: Mode): Promise<number>;
  /**
   * Since when the connection has been up without interruption: notifications of earlier events may have been missed.
   */
  connectedSince(): Date;
  nats: NatsConnection;
  jetstream: JetStreamClient;
  manager: JetStreamManager;
};

const CONNECT_WITHIN_MS = 5_000;
/** A half-open connection that receives nothing is closed after three of these. */
const PING_EVERY_MS = 2_000;
const PINGS_UNANSWERED_MAX = 2;

/**
 * One connection per process. It reconnects indefinitely. Requests and publishes fail while it is down; the service
 * that promised a fact republishes it.
 */
export async function connectBus(options: { url: string; name: Caller; log: Logger }): Promise<Bus> {
  const nats = await connect({
    servers: options.url,
    name: options.name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    waitOnFirstConnect: false,
    timeout: CONNECT_WITHIN_MS,
    pingInterval: PING_EVERY_MS,
    maxPingOut: PINGS_UNANSWERED_MAX,
    // Otherwise every publish and request creates two errors with stack traces in advance: 5 % of a busy stage's time.
    noAsyncTraces: true,
  });
  const js = jetstream(nats, { timeout: 5_000 });
  const manager = await jetstreamManager(nats, { checkAPI: false, timeout: 5_000 });
  const connection = watchConnection(nats, options.log);
  return {
    nats,
    jetstream: js,
    manager,
    request: createSendRequest(nats, { caller: options.name, connection }),
    publish: createPublisher(js, manager, connection),
    listen(event, onFacts, isWanted = () => true) {
      nats.subscribe(`${event.subject}.>`, {
        callback: (error, message) => {
          if (error || !isWanted()) return;
          // An error thrown here would permanently stop the connection's reader.
          try {
            onFacts(message.json<unknown[]>());
          } catch (cause) {
            options.log.warn({ subject: event.subject, err: cause }, "a message was skipped");
          }
        },
      });
    },
    backlog: (events, mode) => backlogOf(manager, events, mode),
    connectedSince: () => connection.since,
  };
}

/**
 * The connection as a component of a service: ready before the service starts, closed after everything that uses it.
 */
export function bus(connection: Bus): Component {
  return {
    name: "bus",
    start: async () => void (await connection.nats.flush()),
    stop: () => connection.nats.close(),
  };
}
