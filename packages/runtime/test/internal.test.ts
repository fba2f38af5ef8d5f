import { expect, onTestFinished, test } from "vitest";
import type { Component } from "../src/index.ts";
import { internalServer } from "../src/internal.ts";
import { createLifecycle } from "../src/lifecycle.ts";
import { createLogger } from "../src/log.ts";

test("a process that still waits for its connections is alive and not ready, and stays ready when a server of all replicas fails", async () => {
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
  let isUp = true;
  const bus = async () => {
    if (!isUp) throw new Error("the broker is gone");
  };
  components.push({ name: "bus", start: nothing, stop: nothing, checks: { bus } });
  expect((await read("/readyz")).status).toBe(503);
  lifecycle.enter("running");
  const running = await read("/readyz");
  expect([running.status, Object.keys(JSON.parse(running.body).checks)]).toEqual([200, ["process", "bus"]]);

  // As it does for all replicas: none ready would be worse than one that says what it cannot do.
  isUp = false;
  const shown = () => read("/readyz").then(({ status, body }) => [status, JSON.parse(body).checks.bus.status]);
  await expect.poll(shown, { timeout: 5_000 }).toEqual([200, "failed"]);
  expect((await read("/metrics")).body).toContain('collect_check_ok{check="bus"} 0');
  lifecycle.enter("draining");
  expect((await read("/readyz")).status).toBe(503);
});
