import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** PostgreSQL behind a proxy that closes connections between a commit and its reply. */
export type LostReplies = {
  /** The given URL, through this proxy. */
  url: string;
  /** Closes the next connection that commits: the commit succeeds, and its client gets no reply. Resolves then. */
  cutNextCommit(): Promise<void>;
  close(): Promise<void>;
};

/** ReadyForQuery at the end of a reply, idle: no transaction is open, so writes are committed. */
const IDLE = Buffer.from("Z\0\0\0\x05I", "latin1");
const IN_TRANSACTION = Buffer.from("Z\0\0\0\x05T", "latin1");

export async function openLostReplies(databaseUrl: string): Promise<LostReplies> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let cut: (() => void) | undefined;

  const server = createServer((near) => {
    const far = connect({ host: target.hostname, port: Number(target.port) });
    const isWrite = createWriteDetector();
    /** The buffered part of the reply to a write. */
    let buffered: Buffer[] | undefined;
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
      const writes = isWrite(data);
      if (cut && writes) buffered ??= [];
      far.write(data);
    });
    far.on("data", (data) => {
      if (!buffered) return void near.write(data);
      buffered.push(data);
      const isOver = data.subarray(-6).equals(IDLE);
      if (!isOver && !data.subarray(-6).equals(IN_TRANSACTION)) return;
      const reply = Buffer.concat(buffered);
      buffered = undefined;
      if (!isOver || !cut) return void near.write(reply);
      end();
      cut();
      cut = undefined;
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

/**
 * Detects messages that commit something: COMMIT, or a statement that writes, which is its own transaction if none is
 * open. The text of a statement is sent once, and afterwards only its name.
 */
function createWriteDetector(): (data: Buffer) => boolean {
  const writing = new Set<string>();
  return (data) => {
    const text = data.toString("latin1");
    for (const [, name = ""] of text.matchAll(/P.{4}(\w+)\0[^\0]*?\b(?:insert into|update)\b/gis)) writing.add(name);
    const bound = [...text.matchAll(/B.{4}\0(\w+)\0/gs)].map(([, name = ""]) => name);
    return text.includes("commit\0") || bound.some((name) => writing.has(name));
  };
}
