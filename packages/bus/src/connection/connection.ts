import type { Logger } from "@collect/runtime";
import type { NatsConnection } from "nats";

/**
 * Whether the broker can be reached (while it cannot, whoever asks or publishes is told at once and does not wait for a
 * deadline), how many times it has come back, and since when it has been there: each time it may have lost everything.
 */
export type Connection = { isUp: boolean; returns: number; since: Date };

export function watchConnection(nats: NatsConnection, log: Logger): Connection {
  const connection = { isUp: true, returns: 0, since: new Date() };
  const watch = async () => {
    for await (const { type } of nats.status()) {
      if (type === "disconnect") {
        connection.isUp = false;
        log.warn({}, "the message broker is gone");
      }
      if (type === "reconnect") {
        connection.isUp = true;
        connection.returns++;
        connection.since = new Date();
        log.info({}, "the message broker is back");
      }
    }
  };
  void watch();
  return connection;
}
