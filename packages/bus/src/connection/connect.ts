import type { Caller, Fact, FactEvent, RequestContract, WireInput, WireResult } from "@collect/contracts";
import type { Component, Logger } from "@collect/runtime";
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "nats";
import { askOver } from "./ask.ts";
import { watchConnection } from "./connection.ts";
import { createPublisher } from "./publish.ts";
import { backlogOf, type Mode } from "./streams.ts";

export type Bus = {
  /** Asks a service and waits for its answer until the contract's deadline. Throws the Problem it answered with, or service_unavailable. */
  request<Contract extends RequestContract>(
    contract: Contract,
    data: WireInput<Contract>,
    requestId?: string,
  ): Promise<WireResult<Contract>>;
  /** Publishes facts and returns once the broker has stored all of them for every consumer. Facts travel in messages of many. */
  publish<Event extends FactEvent>(event: Event, facts: Fact<Event>[]): Promise<void>;
  /** Facts as they pass by, with no promise to see each: only good for being woken. Nothing is parsed while none is wanted. */
  listen<Event extends FactEvent>(event: Event, onFacts: (facts: unknown[]) => void, isWanted?: () => boolean): void;
  /** Messages that wait in the durables of these events in this mode. */
  backlog(events: readonly FactEvent[], mode: Mode): Promise<number>;
  /** Since when the broker has been there without a break: what happened before may never have been told. */
  connectedSince(): Date;
  nats: NatsConnection;
  jetstream: JetStreamClient;
  manager: JetStreamManager;
};

const CONNECT_WITHIN_MS = 5_000;
/** A connection over which nothing comes any more, and that nobody has closed, is given up after three of these. */
const PING_EVERY_MS = 2_000;
const PINGS_UNANSWERED_MAX = 2;

/** One connection a process. It reconnects for ever; what is asked or published while it is down fails and is repeated by whoever promised it. */
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
    request: askOver(nats, { caller: options.name, connection }),
    publish: createPublisher(js, manager, connection),
    listen(event, onFacts, isWanted = () => true) {
      nats.subscribe(`${event.subject}.>`, {
        callback: (error, message) => {
          if (error || !isWanted()) return;
          // What is thrown in here would end the connection's reader for good.
          try {
            onFacts(message.json<unknown[]>());
          } catch (cause) {
            options.log.warn({ subject: event.subject, err: cause }, "a message was passed over");
          }
        },
      });
    },
    backlog: (events, mode) => backlogOf(manager, events, mode),
    connectedSince: () => connection.since,
  };
}

/** The connection as a part of a service: opened before it, drained after everything that uses it. */
export function bus(connection: Bus): Component {
  return {
    name: "bus",
    start: async () => void (await connection.nats.flush()),
    stop: () => connection.nats.close(),
  };
}
