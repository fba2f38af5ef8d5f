import { mkdtemp, rm } from "node:fs/promises";
import { Agent, get } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@collect/runtime";
import { freePort, startChild, untilReady } from "@collect/servers";
import { expect, onTestFinished, test } from "vitest";
import { createHttpApp, httpServer } from "../src/index.ts";

const CALLERS = 20;

type Answer = { status: number; connection: string };
/** `isFresh`: the connection was made for this call, and not a byte came back on it. */
type Failure = { code: string; isFresh: boolean };

/** One call: how the response leaves the connection, or the error. */
function call(agent: Agent, port: number): Promise<Answer | Failure> {
  return new Promise((resolve) => {
    const fail = (code: string) =>
      resolve({ code, isFresh: !request.reusedSocket && (request.socket?.bytesRead ?? 0) === 0 });
    const request = get({ agent, host: "127.0.0.1", port, path: "/" }, (response) => {
      response.resume();
      const { statusCode: status = 0, headers } = response;
      response.on("close", () =>
        response.complete ? resolve({ status, connection: headers.connection ?? "" }) : fail("CUT"),
      );
    });
    request.on("error", (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
  });
}

async function callOn(port: number, onServed: () => void) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const connections: string[] = [];
  for (;;) {
    const result = await call(agent, port);
    if ("code" in result) return { connections, ...result };
    expect(result.status).toBe(200);
    connections.push(result.connection);
    onServed();
  }
}

test("callers that call on and on over kept-alive connections through a SIGTERM are all served until the port closes", async () => {
  const directory = await mkdtemp(join(tmpdir(), "collect-drained-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const [port, internal] = [await freePort(), await freePort()];
  const child = await startChild({
    command: process.execPath,
    args: [join(import.meta.dirname, "drained-process.ts")],
    env: { PATH: process.env.PATH, PORT: `${port}`, INTERNAL_PORT: `${internal}`, SHUTDOWN_DELAY_MS: "2000" },
    logFile: join(directory, "log"),
    stopSignal: "SIGKILL",
  });
  await untilReady("the process", child, async () => child.output().includes('"event":"ready"'));
  const ready = () => fetch(`http://127.0.0.1:${internal}/readyz`).then(({ status }) => status);
  expect(await ready()).toBe(200);

  const { promise: warm, resolve } = Promise.withResolvers<void>();
  let served = 0;
  const calling = Promise.all(
    Array.from({ length: CALLERS }, () => callOn(port, () => void (++served === 10 * CALLERS && resolve()))),
  );
  await warm;
  child.signal("SIGTERM");
  await expect.poll(ready).toBe(503);
  const callers = await calling;
  await child.exited;

  for (const { connections, code, isFresh } of callers) {
    // A connection that the system makes just as the port closes is reset. Its request was never read, so nothing is lost.
    expect(["ECONNREFUSED", "ECONNRESET"]).toContain(code);
    expect(isFresh, "a kept-alive connection was cut").toBe(true);
    expect(connections[0]).toBe("keep-alive");
    expect(connections).toContain("close");
  }
  expect(child.output()).toContain(`"got":${served},`);
});

test("connections that wait to be accepted when a server stops are served", async () => {
  const log = createLogger("http", "silent");
  const app = createHttpApp({ log, routes: (app) => app.get("/", (_request, response) => void response.json({})) });
  const http = httpServer({ app, host: "127.0.0.1", port: 0, log });
  await http.start();
  const { port } = http.server.address() as AddressInfo;
  const agent = new Agent();
  const calling = Promise.all(Array.from({ length: CALLERS }, () => call(agent, port)));
  // By now the system has made the connections, in this turn of the event loop, in which none can be accepted.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  await http.stop();
  expect(await calling).toEqual(Array(CALLERS).fill({ status: 200, connection: "close" }));
});
