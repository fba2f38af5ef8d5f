import { setTimeout as sleep } from "node:timers/promises";
import { type FactEvent, MODES } from "@collect/contracts";
import type { Bus } from "../connection/connect.ts";
import type { Recover } from "./recovery-runner.ts";

const POLL_INTERVAL_MS = 200;

/** Waits, as a step of a recovery, until the durables of these events are empty in both modes. */
export async function untilConsumed(
  bus: Bus,
  events: readonly FactEvent[],
  progress: Parameters<Recover>[1],
): Promise<void> {
  const isRead = async () => {
    const backlogs = await Promise.all(MODES.map((mode) => bus.backlog(events, mode)));
    return backlogs.every((backlog) => backlog === 0);
  };
  while (!(await isRead())) {
    await progress.step("waiting until peers have consumed all published events");
    await sleep(POLL_INTERVAL_MS, undefined, { signal: progress.signal });
  }
}
