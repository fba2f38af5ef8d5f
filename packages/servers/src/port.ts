import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";

/** Below the ephemeral range, which the system uses for outgoing connections. */
const [FIRST, END, BLOCK] = [15_000, 32_000, 100];
/** The ports that this process has not given yet, of the last block that it owns. */
let left: number[] = [];

/**
 * A free port of 127.0.0.1, or the first of as many in a row. It is given only once, and stays free while its process is down or
 * not yet up: every process that asks owns whole blocks of ports for as long as it runs.
 */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    while (left.length < count) left = await claimBlock();
    const ports = left.splice(0, count);
    const free = await Promise.all(ports.map(portIsFree));
    const [first] = ports;
    if (first !== undefined && free.every(Boolean)) return first;
  }
}

/** The other ports of a block whose first one this process listens on from now on: that makes the block its own. */
async function claimBlock(): Promise<number[]> {
  for (;;) {
    const first = FIRST + BLOCK * randomInt((END - FIRST) / BLOCK);
    const owner = await listen(first);
    owner?.unref();
    if (owner) return Array.from({ length: BLOCK - 1 }, (_, place) => first + 1 + place);
  }
}

export async function portIsFree(port: number): Promise<boolean> {
  const server = await listen(port);
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  return server !== undefined;
}

/** The requested port, or a free one for 0. Throws an error that names the port if it is in use. */
export async function claimPort(port: number, what: string): Promise<number> {
  if (port === 0) return freePort();
  if (await portIsFree(port)) return port;
  throw new Error(`port ${port} of 127.0.0.1 is in use: ${what} cannot listen on it`);
}

/** A server on the port, unless it is in use. */
function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(undefined) : reject(error),
    );
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
