import { fileURLToPath } from "node:url";
import type { Bus } from "@collect/bus";
import { httpServer } from "@collect/http";
import type { Component, Logger } from "@collect/runtime";
import type { OperatorsConfig } from "../../config.ts";
import { openPages } from "../pages.ts";
import { createSite } from "../site.ts";
import { operatorRoutes } from "./routes.ts";
import { createOperatorSessions } from "./sessions.ts";

const DIST = fileURLToPath(new URL("../../../web/operators/dist", import.meta.url));

type Deps = { config: OperatorsConfig; bus: Bus; log: Logger; web?: string; now?: () => number };

/**
 * The operators' pages: a process and an address of their own, with the broker's user for operators and without a database. It
 * has no operator's key: browsers sign what operators do, and the services verify that themselves.
 */
export function createOperatorsApp({ config, bus, log, web = DIST, now = Date.now }: Deps): Component[] {
  const pages = openPages({ log, directory: web });
  const sessions = createOperatorSessions({ bus, config, now });
  const app = createSite({ config, pages, log, calls: operatorRoutes({ bus, sessions }) });
  return [pages.component, httpServer({ app, host: config.HOST, port: config.PORT, log })];
}
