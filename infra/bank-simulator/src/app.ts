import { createHttpApp, type HttpApp } from "@collect/http";
import type { Logger } from "@collect/runtime";
import type { SimulatedBank } from "./bank.ts";

/** The simulated banks, each below its path. */
export function createApp({ log, banks }: { log: Logger; banks: readonly SimulatedBank[] }): HttpApp {
  return createHttpApp({
    log,
    routes: (app) => {
      for (const { path, routes } of banks) app.use(path, routes);
    },
  });
}
