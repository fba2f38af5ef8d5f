import { setTimeout as sleep } from "node:timers/promises";
import { type FactEvent, MODES } from "@collect/contracts";
import type { Bus } from "../connection/connect.ts";
import type { Recover } from "./recovery-runner.ts";

const LOOK_EVERY_MS = 200;

/** Waits, as a step of a recovery, until the durables of these events have taken all their messages, in both modes. */
export async function untilRead(
  bus: Bus,
  events: readonly FactEvent[],
  progress: Parameters<Recover>[1],
): Promise<void> {
  const isRead = async () => {
    const backlogs = await Promise.all(MODES.map((mode) => bus.backlog(events, mode)));
    return backlogs.every((backlog) => backlog === 0);
  };
  while (!(await isRead())) {
    await progress.step("waiting until others have read what they were told");
    await sleep(LOOK_EVERY_MS, undefined, { signal: progress.signal });
  }
}
