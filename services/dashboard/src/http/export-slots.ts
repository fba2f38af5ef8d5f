import { Problem } from "@collect/contracts";

/** Concurrent exports per process, per merchant in both modes, and per user. */
const EXPORTS_MAX = 20;
const EXPORTS_PER_MERCHANT_MAX = 5;
const EXPORTS_PER_USER_MAX = 3;

/** Operators export for no merchant. */
type Exporter = { userId: string; merchantId?: string };
export type ExportSlots = <Result>(exporter: Exporter, work: () => Promise<Result>) => Promise<Result>;

/** What a person takes with them, lists and documents alike, occupies a slot of a process until it is written. */
export function createExportSlots(): ExportSlots {
  const running = new Set<Exporter>();
  const count = (isSame: (other: Exporter) => boolean) => [...running].filter(isSame).length;
  return async (exporter, work) => {
    const { userId, merchantId } = exporter;
    if (count((other) => other.userId === userId) >= EXPORTS_PER_USER_MAX)
      throw new Problem(
        "rate_limited",
        `At most ${EXPORTS_PER_USER_MAX} exports can run at once. Wait for one to finish.`,
      );
    if (merchantId !== undefined && count((other) => other.merchantId === merchantId) >= EXPORTS_PER_MERCHANT_MAX)
      throw new Problem(
        "rate_limited",
        `At most ${EXPORTS_PER_MERCHANT_MAX} exports of a business can run at once. Wait for one to finish.`,
      );
    if (running.size >= EXPORTS_MAX)
      throw new Problem("service_unavailable", "Too many exports are running. Try again shortly.");
    running.add(exporter);
    try {
      return await work();
    } finally {
      running.delete(exporter);
    }
  };
}
