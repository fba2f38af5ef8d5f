import { expect, onTestFinished, test } from "vitest";
import type { Component } from "../src/index.ts";
import { internalServer } from "../src/internal.ts";
import { createLifecycle } from "../src/lifecycle.ts";
import { createLogger } from "../src/log.ts";

test("a process that still waits for its connections is alive and not ready, and then asks its components", async () => {
  const components: Component[] = [];
  const lifecycle = createLifecycle();
  const config = { INTERNAL_PORT: 0, INTERNAL_HOST: "127.0.0.1", SHUTDOWN_DELAY_MS: 0 };
  const [server] = internalServer({ config, log: createLogger("tests", "silent"), lifecycle, components });
  if (!server) throw new Error("there is a port, and no server");
  await server.start();
  onTestFinished(() => server.stop());
  const read = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${server.port()}${path}`);
    return { status: response.status, body: await response.text() };
  };

  expect((await read("/livez")).status).toBe(200);
  const waiting = await read("/readyz");
  expect([waiting.status, Object.keys(JSON.parse(waiting.body).checks)]).toEqual([503, ["process"]]);
  expect((await read("/metrics")).status).toBe(200);

  const nothing = async () => {};
  components.push({ name: "bus", start: nothing, stop: nothing, checks: { bus: nothing } });
  lifecycle.enter("running");
  const running = await read("/readyz");
  expect([running.status, Object.keys(JSON.parse(running.body).checks)]).toEqual([200, ["process", "bus"]]);
});
