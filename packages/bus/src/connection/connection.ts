import type { Logger } from "@collect/runtime";
import type { NatsConnection } from "nats";

/**
 * Whether the broker is reachable (while it is not, requests and publishes fail immediately instead of at their
 * deadline), the number of reconnects, and the time of the last one: after each, the broker may have lost everything.
 */
export type Connection = { isUp: boolean; returns: number; since: Date };

export function watchConnection(nats: NatsConnection, log: Logger, onReturn: () => Promise<void>): Connection {
  const connection = { isUp: true, returns: 0, since: new Date() };
  const watch = async () => {
    for await (const { type } of nats.status()) {
      if (type === "disconnect") {
        connection.isUp = false;
        log.warn({}, "the message broker is unreachable");
      }
      if (type === "reconnect") {
        connection.isUp = true;
        connection.returns++;
        connection.since = new Date();
        log.info({}, "the message broker is reachable again");
        void onReturn().catch((error) => log.warn({ err: error }, "the streams will be created with the next fact"));
      }
    }
  };
  void watch();
  return connection;
}
