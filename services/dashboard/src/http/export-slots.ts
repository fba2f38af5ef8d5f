import { Problem } from "@collect/contracts";

/** Concurrent exports per process, and per user. */
const EXPORTS_MAX = 20;
const EXPORTS_PER_USER_MAX = 3;

export type ExportSlots = <Result>(userId: string, work: () => Promise<Result>) => Promise<Result>;

/** What a person takes with them, lists and documents alike, occupies a slot of a process while it is written. */
export function createExportSlots(): ExportSlots {
  const running: string[] = [];
  return async (userId, work) => {
    if (running.filter((user) => user === userId).length >= EXPORTS_PER_USER_MAX)
      throw new Problem(
        "rate_limited",
        `At most ${EXPORTS_PER_USER_MAX} exports can run at once. Wait for one to finish.`,
      );
    if (running.length >= EXPORTS_MAX)
      throw new Problem("service_unavailable", "Too many exports are running. Try again shortly.");
    running.push(userId);
    try {
      return await work();
    } finally {
      running.splice(running.indexOf(userId), 1);
    }
  };
}
