import {
  type CheckState,
  checkOk,
  collectProcessMetrics,
  createInternalServer,
  createMeasuring,
  createReadiness,
  type Page,
  readMetrics,
} from "@collect/telemetry";
import type { Component } from "./component.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Logger } from "./log.ts";
import type { ProcessSettings } from "./process-settings.ts";
import { stuckLoops } from "./progress.ts";

type Process = {
  config: ProcessSettings;
  log: Logger;
  lifecycle: Lifecycle;
  /** Empty until they have been opened; until then the process is starting, and nothing else is known of it. */
  components: Component[];
};

/** The server of /livez, /readyz and /metrics; none without INTERNAL_PORT. */
export function internalServer({ config, log, lifecycle, components }: Process) {
  const { INTERNAL_PORT: port, INTERNAL_HOST: host } = config;
  if (port === undefined) return [];
  collectProcessMetrics();
  const onChange = (check: string, { status }: CheckState, error: unknown) => {
    if (lifecycle.phase() !== "running") return;
    if (status === "ok") log.info({ check }, "the check holds again");
    else log.warn({ check, err: error }, "the check fails");
  };
  const watch = () => ({
    readiness: createReadiness({ checks: Object.assign({}, ...components.map(({ checks }) => checks)), onChange }),
    measure: createMeasuring(Object.assign({}, ...components.map(({ measurements }) => measurements)), onChange),
  });
  let watched: ReturnType<typeof watch> | undefined;
  const ofComponents = () => {
    if (components.length > 0) watched ??= watch();
    return watched;
  };
  const readChecks = async () => ({ process: lifecycle.state(), ...(await ofComponents()?.readiness()) });
  return [
    createInternalServer({
      host,
      port,
      pages: {
        "/livez": async () => livePage(stuckLoops()),
        "/readyz": async () => readyPage(await readChecks()),
        "/metrics": async () => {
          const [checks] = await Promise.all([readChecks(), ofComponents()?.measure()]);
          for (const [check, { status }] of Object.entries(checks)) checkOk.set({ check }, status === "ok" ? 1 : 0);
          return { status: 200, ...(await readMetrics()) };
        },
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

/**
 * Ready is a process that had all that it needs when it started, and is not stopping. The checks are only shown: a server that
 * fails later fails for the other replicas too, and if none were ready, callers would get no answer of ours.
 */
function readyPage(checks: Record<string, CheckState>): Page {
  const isReady = checks.process?.status === "ok";
  return { status: isReady ? 200 : 503, json: { status: isReady ? "ready" : "unready", checks } };
}
