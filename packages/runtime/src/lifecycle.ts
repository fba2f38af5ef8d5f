import type { CheckState } from "@collect/telemetry";

export type Phase = "starting" | "running" | "draining";

/** Which part of its life the process is in. A running one is ready, and no other. */
export type Lifecycle = { phase(): Phase; enter(phase: Phase): void; state(): CheckState };

export function createLifecycle(): Lifecycle {
  let current = { phase: "starting" as Phase, since: new Date().toISOString() };
  return {
    phase: () => current.phase,
    enter(phase) {
      current = { phase, since: new Date().toISOString() };
    },
    state: () => ({
      status: current.phase === "running" ? "ok" : "failed",
      since: current.since,
      ...(current.phase !== "running" && { reason: current.phase }),
    }),
  };
}
