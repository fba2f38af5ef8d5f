import type { Logger } from "./log.ts";
import { exitWhenStuck } from "./progress.ts";

/** Something that is started with the service and stopped with it: a pool, a server, a consumer, a worker. */
export type Component = { name: string; start(): Promise<void>; stop(): Promise<void> };

/** How long a stop may take before the process goes anyway: whatever was unfinished is repeated by whoever waits for it. */
const STOP_WITHIN_MS = 10_000;

/**
 * Starts the parts in order, says so, and on SIGTERM or SIGINT stops them in the opposite order.
 * A part that cannot start ends the process with 1 and a line that says which it was; so does one that is stuck later.
 */
export async function run(log: Logger, parts: Component[]): Promise<void> {
  const started: Component[] = [];
  const stop = async (code: number) => {
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    for (const part of started.splice(0).reverse()) {
      await part.stop().catch((error) => log.warn({ part: part.name, err: error }, "part did not stop cleanly"));
    }
    process.exit(code);
  };
  process.once("SIGTERM", () => stop(0));
  process.once("SIGINT", () => stop(0));
  for (const part of parts) {
    try {
      await part.start();
      started.push(part);
    } catch (error) {
      log.error({ part: part.name, err: error }, `${part.name} could not start`);
      return stop(1);
    }
  }
  exitWhenStuck(log);
  log.info({ event: "ready" }, "ready");
}
