import type { Logger } from "@collect/runtime";
import type { Job } from "../domain/job.ts";
import { openRow, type SealedSecrets } from "../use-cases/sealed-secrets.ts";
import type { Dispatcher } from "./dispatcher.ts";

export type Opener = ReturnType<typeof createOpener>;

/**
 * Opens the signing secrets of one mode. Where that fails, nothing more of the merchant is claimed for a while, and one alarm
 * stands for all failures of that time: otherwise a wrong keyring would have every delivery that waits claimed in every lease.
 */
export function createOpener({ secrets, log, pauseMs }: { secrets: SealedSecrets; log: Logger; pauseMs: number }) {
  /** When the pause of a merchant ends. */
  const paused = new Map<string, { mode: Job["mode"]; until: number }>();

  return {
    /** The secrets of a job, or undefined: its delivery keeps its lease, after which the row or the keyring may be right again. */
    open({ merchantId, mode, secret, stagedSecret }: Pick<Job, "merchantId" | "mode" | "secret" | "stagedSecret">) {
      try {
        return openRow(secrets, { id: merchantId, mode }, { secret, staged_secret: stagedSecret });
      } catch (err) {
        if (performance.now() < (paused.get(merchantId)?.until ?? 0)) return undefined;
        paused.set(merchantId, { mode, until: performance.now() + pauseMs });
        log.error({ alarm: "secret", merchant_id: merchantId, mode, err }, "a signing secret cannot be decrypted");
        return undefined;
      }
    },
    /** What may be claimed: nothing of those merchants. */
    within(capacity: ReturnType<Dispatcher["capacity"]>): ReturnType<Dispatcher["capacity"]> {
      for (const [merchantId, { until }] of paused) if (until <= performance.now()) paused.delete(merchantId);
      const others = capacity.queues.filter(({ merchantId }) => !paused.has(merchantId));
      const closed = [...paused].map(([merchantId, { mode }]) => ({ merchantId, mode, free: 0 }));
      return { ...capacity, queues: [...others, ...closed] };
    },
  };
}
