import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A TCP connection from a service to PostgreSQL or NATS. */
type Connection = { near: Socket; far: Socket; isCut: boolean; lastByteAt: number };

/** A TCP proxy between one process and one server, whose connections can go silent. */
export type TcpProxy = {
  url: string;
  /**
   * Stops transmitting on one connection (the last used) or all of them; both ends stay open. Returns a function that
   * resumes them.
   */
  silence(variant: string): () => void;
  /** Closes the server's end; the service's end stays open and never receives anything again. */
  leaveHalfOpen(variant: string): void;
  close(): void;
};

export async function openTcpProxy(serverUrl: string): Promise<TcpProxy> {
  const target = new URL(serverUrl);
  const connections = new Set<Connection>();
  const server = createServer((near) => {
    const far = connect({ host: target.hostname, port: Number(target.port) });
    const connection: Connection = { near, far, isCut: false, lastByteAt: performance.now() };
    connections.add(connection);
    const onClose = () => connections.delete(connection);
    forward(connection, { from: near, to: far, onClose });
    forward(connection, { from: far, to: near, onClose });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = new URL(serverUrl);
  url.port = String(typeof address === "object" ? address?.port : 0);

  const cutConnections = (variant: string) => {
    const whole = [...connections]
      .filter(({ isCut, near }) => !isCut && !near.destroyed)
      .toSorted((a, b) => b.lastByteAt - a.lastByteAt);
    const cut = variant === "one" ? whole.slice(0, 1) : whole;
    for (const connection of cut) {
      connection.isCut = true;
      connection.near.pause();
      connection.far.pause();
    }
    return cut;
  };
  return {
    url: url.href,
    silence(variant) {
      const silent = cutConnections(variant);
      return () => {
        for (const connection of silent) {
          connection.isCut = false;
          connection.near.resume();
          connection.far.resume();
        }
      };
    },
    leaveHalfOpen(variant) {
      for (const { far } of cutConnections(variant)) far.destroy();
    },
    close() {
      server.close();
      for (const { near, far } of connections) {
        near.destroy();
        far.destroy();
      }
    },
  };
}

/** Forwards one direction. A server's end that was closed while it was cut is not passed on. */
function forward(
  connection: Connection,
  { from, to, onClose }: { from: Socket; to: Socket; onClose: () => void },
): void {
  from.setNoDelay(true);
  from.on("data", (data) => {
    connection.lastByteAt = performance.now();
    if (!to.write(data)) from.pause();
  });
  to.on("drain", () => {
    if (!connection.isCut) from.resume();
  });
  from.on("error", () => from.destroy());
  from.on("close", () => {
    if (from === connection.far && connection.isCut) return;
    to.destroy();
    onClose();
  });
}
