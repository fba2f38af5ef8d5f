import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** PostgreSQL behind a wire that breaks between a commit and its reply. */
export type LostReplies = {
  /** Like the address that was given, but by this wire. */
  url: string;
  /** Cuts the next connection that commits: the commit is done, and its client never hears of it. Resolves then. */
  cutNextCommit(): Promise<void>;
  close(): Promise<void>;
};

/** A simple query as it stands on the wire, with the zero that ends it. */
const COMMIT = Buffer.from("commit\0");

export async function openLostReplies(databaseUrl: string): Promise<LostReplies> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let cut: (() => void) | undefined;

  const server = createServer((near) => {
    const far = connect({ host: target.hostname, port: Number(target.port) });
    let told: (() => void) | undefined;
    const end = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", end);
      socket.on("close", end);
    }
    near.on("data", (data) => {
      if (cut && data.includes(COMMIT)) {
        told = cut;
        cut = undefined;
      }
      far.write(data);
    });
    far.on("data", (data) => {
      if (!told) return void near.write(data);
      end();
      told();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = new URL(databaseUrl);
  url.port = String(typeof address === "object" ? address?.port : 0);

  return {
    url: url.href,
    cutNextCommit: () =>
      new Promise((resolve) => {
        cut = resolve;
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
