import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startChild, untilReady } from "@collect/servers";
import { expect, test } from "vitest";

const CALLERS = 20;

/** One call of one kept-alive connection: how the response leaves the connection, or the error's code. */
function call(agent: Agent, port: number): Promise<{ status: number; connection: string } | { code: string }> {
  return new Promise((resolve) => {
    get({ agent, host: "127.0.0.1", port, path: "/" }, (response) => {
      response.resume();
      const { statusCode: status = 0, headers } = response;
      response.on("close", () =>
        resolve(response.complete ? { status, connection: headers.connection ?? "" } : { code: "CUT" }),
      );
    }).on("error", (error: NodeJS.ErrnoException) => resolve({ code: error.code ?? error.message }));
  });
}

async function callOn(port: number, onServed: () => void) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const connections: string[] = [];
  for (;;) {
    const result = await call(agent, port);
    if ("code" in result) return { connections, code: result.code };
    expect(result.status).toBe(200);
    connections.push(result.connection);
    onServed();
  }
}

test("callers that call on and on over kept-alive connections through a SIGTERM are all served until the port closes", async () => {
  const [port, internal] = [await freePort(), await freePort()];
  const child = await startChild({
    command: process.execPath,
    args: [join(import.meta.dirname, "drained-process.ts")],
    env: { PATH: process.env.PATH, PORT: `${port}`, INTERNAL_PORT: `${internal}`, SHUTDOWN_DELAY_MS: "500" },
    logFile: join(tmpdir(), `collect-drained-${process.pid}.log`),
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

  for (const { connections, code } of callers) {
    // Not ECONNRESET: no connection was cut, there is only nothing at the port any more.
    expect(code).toBe("ECONNREFUSED");
    expect(connections[0]).toBe("keep-alive");
    expect(connections).toContain("close");
  }
});
