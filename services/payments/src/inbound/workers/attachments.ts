import type { Bus, Epochs } from "@collect/bus";
import { MODES } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { publishAttached } from "../adapters/attachments.ts";
import { claimDueAttachments } from "../store/attachments.ts";

/** How often the worker looks, and how many it publishes in a run of each mode. */
export type Attaching = { everyMs: number; max: number };
export const ATTACHING: Attaching = { everyMs: 2_000, max: 100 };

type Deps = { pool: Pool; bus: Bus; log: Logger; epochs: Epochs; attaching: Attaching };

/** Publishes attached collections again until webhooks has recorded their events: the process that attached them may have crashed before it did. */
export function createAttachmentsWorker({ pool, bus, log, epochs, attaching }: Deps): Component {
  return interval({ name: "attachments", everyMs: attaching.everyMs, log }, async () => {
    if (!epochs.isCurrent()) return;
    for (const mode of MODES)
      await publishAttached({ pool, bus }, await claimDueAttachments(pool, { mode, limit: attaching.max }));
  });
}
