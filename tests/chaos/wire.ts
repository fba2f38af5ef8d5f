import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A TCP connection of a service on its way to PostgreSQL or NATS. */
type Connection = { near: Socket; far: Socket; isCut: boolean; lastByteAt: number };

/** The way from one process to one server, which can go silent. */
export type Wire = {
  url: string;
  /** Passes no byte of one connection (the one used last) or all of them; both ends stay open. Answers with the end of it. */
  silence(how: string): () => void;
  /** The server's end is closed; the service's end stays open and is never answered again. */
  leaveHalfOpen(how: string): void;
  close(): void;
};

export async function openWire(serverUrl: string): Promise<Wire> {
  const target = new URL(serverUrl);
  const connections = new Set<Connection>();
  const server = createServer((near) => {
    const far = connect({ host: target.hostname, port: Number(target.port) });
    const connection: Connection = { near, far, isCut: false, lastByteAt: performance.now() };
    connections.add(connection);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
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
        if (from === far && connection.isCut) return;
        to.destroy();
        connections.delete(connection);
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = new URL(serverUrl);
  url.port = String(typeof address === "object" ? address?.port : 0);

  const chosen = (how: string) => {
    const whole = [...connections]
      .filter(({ isCut, near }) => !isCut && !near.destroyed)
      .toSorted((a, b) => b.lastByteAt - a.lastByteAt);
    const cut = how === "one" ? whole.slice(0, 1) : whole;
    for (const connection of cut) {
      connection.isCut = true;
      connection.near.pause();
      connection.far.pause();
    }
    return cut;
  };
  return {
    url: url.href,
    silence(how) {
      const silent = chosen(how);
      return () => {
        for (const connection of silent) {
          connection.isCut = false;
          connection.near.resume();
          connection.far.resume();
        }
      };
    },
    leaveHalfOpen(how) {
      for (const { far } of chosen(how)) far.destroy();
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
