import { setTimeout as sleep } from "node:timers/promises";
import type { Component } from "./component.ts";
import { internalServer } from "./internal.ts";
import { createLifecycle } from "./lifecycle.ts";
import type { Logger } from "./log.ts";
import type { ProcessSettings } from "./process-settings.ts";
import { exitWhenStuck } from "./progress.ts";
import { startComponent } from "./start.ts";

/**
 * How long a stop may take, the delay included, before the process exits anyway; its supervisor waits for longer. Unfinished
 * work is repeated: every fact and request is retried by its sender.
 */
const STOP_WITHIN_MS = 24_000;

/**
 * Opens the connections of the components and starts these in order, logs `ready`, and stops them in reverse order on SIGTERM or
 * SIGINT, after those that callers reach over HTTP have drained. If a component cannot start, or a loop gets stuck later, its name
 * is logged and the process exits with 1. The server of probes starts first and stops last, so that it answers while `open` waits
 * for a broker, or a component for
 * its database.
 */
export async function run(
  { config, log }: { config: ProcessSettings; log: Logger },
  open: () => Component[] | Promise<Component[]>,
): Promise<void> {
  const lifecycle = createLifecycle();
  const started: Component[] = [];
  const stop = async (code: number) => {
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    lifecycle.enter("draining");
    const draining = started.filter((component) => component.drain);
    for (const component of draining) component.drain?.();
    if (draining.length > 0) await sleep(config.SHUTDOWN_DELAY_MS);
    for (const component of started.splice(0).reverse()) {
      await component
        .stop()
        .catch((error) => log.warn({ part: component.name, err: error }, "component did not stop cleanly"));
    }
    process.exit(code);
  };
  process.once("SIGTERM", () => stop(0));
  process.once("SIGINT", () => stop(0));
  const components: Component[] = [];
  const start = async (component: Component) => {
    try {
      await startComponent(component, log);
      started.push(component);
    } catch (error) {
      log.error({ part: component.name, err: error }, `${component.name} could not start`);
      await stop(1);
    }
  };
  for (const server of internalServer({ config, log, lifecycle, components })) await start(server);
  components.push(...(await open()));
  for (const component of components) await start(component);
  exitWhenStuck(log);
  lifecycle.enter("running");
  log.info({ event: "ready" }, "ready");
}
