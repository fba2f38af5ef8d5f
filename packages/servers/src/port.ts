import { randomInt } from "node:crypto";
import { createServer } from "node:net";

const given = new Set<number>();

/** A free port of 127.0.0.1. This process returns it only once, but other processes can take it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await listenOnce(0);
    if (port === undefined) throw new Error("127.0.0.1 has no free port");
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}

/**
 * A free port that stays free while its process is down, or not yet up: it is below the ephemeral range that the system uses for
 * outgoing connections and for `freePort`. With a count it is the first of as many in a row.
 */
export async function steadyPort(count = 1): Promise<number> {
  for (;;) {
    const first = randomInt(15_000, 32_000 - count);
    const ports = Array.from({ length: count }, (_, place) => first + place);
    if (!(await areFree(ports))) continue;
    for (const port of ports) given.add(port);
    return first;
  }
}

async function areFree(ports: number[]): Promise<boolean> {
  for (const port of ports) if (given.has(port) || !(await portIsFree(port))) return false;
  return true;
}

export async function portIsFree(port: number): Promise<boolean> {
  return (await listenOnce(port)) !== undefined;
}

/** The requested port, or a free one for 0. Throws an error that names the port if it is in use. */
export async function claimPort(port: number, what: string): Promise<number> {
  if (port === 0) return freePort();
  if (await portIsFree(port)) return port;
  throw new Error(`port ${port} of 127.0.0.1 is in use: ${what} cannot listen on it`);
}

function listenOnce(port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(undefined) : reject(error),
    );
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? address?.port : undefined));
    });
  });
}
