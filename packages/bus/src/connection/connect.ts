import {
  type Caller,
  EVENTS,
  type Fact,
  type FactEvent,
  type RequestContract,
  SERVICES,
  type WireInput,
  type WireResult,
} from "@collect/contracts";
import { atMost, type Component, type Logger } from "@collect/runtime";
import { NotReady } from "@collect/telemetry";
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "nats";
import type { FactSeal } from "../access/fact-seal.ts";
import { inboxPrefix, type MIGRATE } from "../access/permissions.ts";
import type { Seals } from "../access/request-seal.ts";
import { onceAvailable } from "./available.ts";
import { type Broker, connectionOptions } from "./broker.ts";
import { watchConnection } from "./connection.ts";
import { createPublisher } from "./publish.ts";
import { createSendRequest, type SentContext } from "./send-request.ts";
import { createServe, type Serve } from "./serve.ts";
import { backlogOf, ensureStreams, hasNoStream, type Mode } from "./streams.ts";
import { createSubscriptions, type Subscribe } from "./subscribe.ts";

export type Bus = {
  /**
   * Sends a request and waits for the response until the contract's deadline. Throws the Problem of the response, or
   * service_unavailable.
   */
  request<Contract extends RequestContract>(
    contract: Contract,
    data: WireInput<Contract>,
    context?: SentContext,
  ): Promise<WireResult<Contract>>;
  serve: Serve;
  /**
   * Publishes facts and returns once the broker has stored all of them for every consumer. A message carries many
   * facts.
   */
  publish<Event extends FactEvent>(event: Event, facts: Fact<Event>[]): Promise<void>;
  /**
   * Subscribes to facts without delivery guarantees: use it only as a wake-up. Messages are not parsed while `isWanted`
   * is false. Every replica receives every message, of the given mode or of both.
   */
  listen<Event extends FactEvent>(
    event: Event,
    onFacts: (facts: unknown[]) => void,
    isWanted?: () => boolean,
    mode?: Mode,
  ): void;
  /** The number of pending and unacknowledged messages in the durables of these events in this mode. */
  backlog(events: readonly FactEvent[], mode: Mode): Promise<number>;
  /**
   * Since when the connection has been up without interruption: notifications of earlier events may have been missed.
   */
  connectedSince(): Date;
  /** Whether the broker is reachable, as far as is known. */
  isUp(): boolean;
  /** The subjects whose subscription the broker refuses at present. */
  refused(): string[];
  /** Proves the facts that decide about money; undefined without keys. */
  seal: FactSeal | undefined;
  /** The same for requests, by what they prove. */
  seals: Seals;
  /** Creates what is missing of the streams that this service publishes to. Its consumers wait for them. */
  prepare(): Promise<void>;
  /** Resolves once the broker has processed everything sent before. */
  flush(): Promise<void>;
  close(): Promise<void>;
  nats: NatsConnection;
  jetstream: JetStreamClient;
  manager: JetStreamManager;
};

/** As long as the broker waits for the proof of a key. */
const CONNECT_WITHIN_MS = 10_000;
/** A service asks about its streams again after this long, others give up after that. */
const ASKED_AGAIN_AFTER_MS = 1_000;
const MANAGED_WITHIN_MS = 5_000;
/** A half-open connection that receives nothing is closed after three of these. */
const PING_EVERY_MS = 2_000;
const PINGS_UNANSWERED_MAX = 2;

type Options = Broker & {
  name: Caller | typeof MIGRATE | "administrator";
  log: Logger;
  seal?: FactSeal;
  /** The private key that an operator signs with, if it is not the one that the broker knows. */
  operatorSeed?: string;
  seals?: Seals;
};

/**
 * One connection per process, as the broker's user of that name. It reconnects indefinitely. Requests and publishes fail
 * while it is down; the service that promised a fact republishes it.
 */
export async function connectBus(options: Options): Promise<Bus> {
  const { name, log, seal, seals = {}, operatorSeed, ...broker } = options;
  const settings = connectionOptions(broker);
  const open = () =>
    connect({
      ...settings,
      name,
      inboxPrefix: inboxPrefix(name),
      maxReconnectAttempts: -1,
      // Otherwise the second refusal in the life of a connection closes it for good: a key that was away for a moment, a slow broker.
      ignoreAuthErrorAbort: true,
      reconnectTimeWait: 250,
      waitOnFirstConnect: false,
      timeout: CONNECT_WITHIN_MS,
      pingInterval: PING_EVERY_MS,
      maxPingOut: PINGS_UNANSWERED_MAX,
      // Otherwise every publish and request creates two errors with stack traces in advance: 5 % of a busy stage's time.
      noAsyncTraces: true,
    });
  // A service waits for its broker, a command says at once that there is none.
  const isService = SERVICES.some((service) => service === name);
  const nats = await (isService ? onceAvailable("a server", open, { log }) : open());
  if (!nats.info?.auth_required)
    log.error({ alarm: "open_broker" }, "the message broker lets everybody in: start it with the generated users");
  const js = jetstream(nats);
  const timeout = isService ? ASKED_AGAIN_AFTER_MS : MANAGED_WITHIN_MS;
  const manager = await jetstreamManager(nats, { checkAPI: false, timeout });
  const own = EVENTS.filter(({ from }) => from === name);
  const ensure = (events: readonly FactEvent[], modes?: Mode[]) =>
    ensureStreams(manager, events, { replicas: broker.replicas, ...(modes && { modes }) });
  const prepare = () => onceAvailable("streams", () => ensure(own), { log, passes: hasNoStream });
  const connection = watchConnection(nats, log, prepare);
  const subscriptions = createSubscriptions(nats, log);
  return {
    nats,
    seal,
    seals,
    prepare,
    flush: () => nats.flush(),
    close: () => nats.close(),
    jetstream: js,
    manager,
    request: createSendRequest(nats, {
      ...{ caller: name, connection, seals, log },
      operatorSeed: name === "operator" ? (operatorSeed ?? broker.seed) : undefined,
    }),
    serve: createServe(subscriptions.subscribe, { seals, log }),
    publish: createPublisher(js, { ensure, connection, seal, partitions: broker.partitions }),
    listen: createListen(subscriptions.subscribe, log),
    backlog: (events, mode) => backlogOf(manager, events, mode),
    connectedSince: () => connection.since,
    isUp: () => connection.isUp,
    refused: subscriptions.refused,
  };
}

const createListen =
  (subscribe: Subscribe, log: Logger): Bus["listen"] =>
  (event, onFacts, isWanted = () => true, mode) => {
    subscribe(`${event.subject}.${mode ? `${mode}.` : ""}>`, {
      onMessage: (message) => {
        if (!isWanted()) return;
        // An error thrown here would permanently stop the connection's reader.
        try {
          onFacts(message.json<unknown[]>());
        } catch (cause) {
          log.warn({ subject: event.subject, err: cause }, "a message was skipped");
        }
      },
    });
  };

/** The last acknowledgments and responses are sent before the connection is closed, unless the broker is unreachable. */
const FLUSH_WITHIN_MS = 2_000;

/**
 * The connection as a component of a service: ready before the service starts, closed after everything that uses it.
 */
export function bus(connection: Bus): Component {
  return {
    name: "bus",
    start: async () => {
      await connection.flush();
      await connection.prepare();
    },
    stop: async () => {
      await atMost(FLUSH_WITHIN_MS, connection.flush());
      await connection.close();
    },
    checks: {
      bus: async () => {
        if (!connection.isUp()) throw new NotReady("the message broker is unreachable");
        const refused = connection.refused();
        if (refused.length > 0) throw new NotReady(`the message broker refuses subscriptions: ${refused.join(", ")}`);
      },
    },
  };
}
