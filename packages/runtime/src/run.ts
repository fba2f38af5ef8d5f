import type { Logger } from "./log.ts";
import { exitWhenStuck } from "./progress.ts";

/** Something that starts and stops with the service: a pool, a server, a consumer, a worker. */
export type Component = { name: string; start(): Promise<void>; stop(): Promise<void> };

/**
 * How long a stop may take before the process exits anyway. Unfinished work is repeated: every fact and request is
 * retried by its sender.
 */
const STOP_WITHIN_MS = 10_000;

/**
 * Starts the components in order, logs `ready`, and stops them in reverse order on SIGTERM or SIGINT. If a component
 * cannot start, or a loop gets stuck later, its name is logged and the process exits with 1.
 */
export async function run(log: Logger, components: Component[]): Promise<void> {
  const started: Component[] = [];
  const stop = async (code: number) => {
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    for (const component of started.splice(0).reverse()) {
      await component
        .stop()
        .catch((error) => log.warn({ part: component.name, err: error }, "component did not stop cleanly"));
    }
    process.exit(code);
  };
  process.once("SIGTERM", () => stop(0));
  process.once("SIGINT", () => stop(0));
  for (const component of components) {
    try {
      await component.start();
      started.push(component);
    } catch (error) {
      log.error({ part: component.name, err: error }, `${component.name} could not start`);
      return stop(1);
    }
  }
  exitWhenStuck(log);
  log.info({ event: "ready" }, "ready");
}
