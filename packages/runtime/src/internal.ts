import { createInternalServer, createReadiness, type Page, type Readiness } from "@collect/telemetry";
import type { Component } from "./component.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Logger } from "./log.ts";
import type { ProcessSettings } from "./process-settings.ts";
import { stuckLoops } from "./progress.ts";

type Process = { config: ProcessSettings; log: Logger; lifecycle: Lifecycle; components: Component[] };

/** The server of /livez and /readyz; none without INTERNAL_PORT. */
export function internalServer({ config, log, lifecycle, components }: Process): Component[] {
  const { INTERNAL_PORT: port, INTERNAL_HOST: host } = config;
  if (port === undefined) return [];
  const readiness = createReadiness({
    checks: Object.assign({}, ...components.map(({ checks }) => checks)),
    onChange(check, { status }, error) {
      if (lifecycle.phase() !== "running") return;
      if (status === "ok") log.info({ check }, "the check holds again");
      else log.warn({ check, err: error }, "the check fails: the process is not ready");
    },
  });
  return [
    createInternalServer({
      host,
      port,
      pages: {
        "/livez": async () => livePage(stuckLoops()),
        "/readyz": () => readyPage(lifecycle, readiness),
      },
    }),
  ];
}

/** The answer itself shows that the event loop turns. A process with a stuck loop exits, so this is for the moment before. */
function livePage(stuck: string[]): Page {
  return stuck.length === 0
    ? { status: 200, json: { status: "live" } }
    : { status: 503, json: { status: "stuck", loops: stuck } };
}

async function readyPage(lifecycle: Lifecycle, readiness: Readiness): Promise<Page> {
  const checks = { process: lifecycle.state(), ...(await readiness()) };
  const isReady = Object.values(checks).every(({ status }) => status === "ok");
  return { status: isReady ? 200 : 503, json: { status: isReady ? "ready" : "unready", checks } };
}
