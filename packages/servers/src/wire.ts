import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A proxy to a server whose connections can go silent, like a network that drops every packet. */
export type Wire = {
  /** The given URL, through this proxy. */
  url: string;
  /** Existing connections stay open but transmit nothing more in either direction; new ones work. Returns their number. */
  silence(): number;
  /** While this is set, new connections are accepted but transmit nothing. */
  silenceNew(wanted: boolean): void;
  /** Connections that the client has open. */
  open(): number;
  close(): Promise<void>;
};

export async function openWire(address: string): Promise<Wire> {
  const target = new URL(address);
  const wires = new Set<{ near: Socket; far: Socket; isSilent: boolean }>();
  let isSilentAnew = false;

  const server = createServer((near) => {
    const far = connect({ host: target.hostname, port: Number(target.port) });
    const wire = { near, far, isSilent: isSilentAnew };
    wires.add(wire);
    // Neither end of a silent connection is notified that the other has closed it.
    const end = (socket: Socket, other: Socket) => () => {
      socket.destroy();
      if (!wire.isSilent) other.destroy();
    };
    near.on("error", end(near, far)).on("close", end(near, far));
    far.on("error", end(far, near)).on("close", end(far, near));
    near.on("data", (data) => void (wire.isSilent || far.write(data)));
    far.on("data", (data) => void (wire.isSilent || near.write(data)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const listening = server.address();
  const url = new URL(address);
  url.port = String(typeof listening === "object" ? listening?.port : 0);
  const open = () => [...wires].filter(({ near }) => !near.destroyed);

  return {
    url: url.href,
    silence() {
      const present = open();
      for (const wire of present) wire.isSilent = true;
      return present.length;
    },
    silenceNew(wanted) {
      isSilentAnew = wanted;
    },
    open: () => open().length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const { near, far } of wires) {
          near.destroy();
          far.destroy();
        }
      }),
  };
}
