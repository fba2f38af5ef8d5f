import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { writeLastUses } from "../store/used-keys.ts";

const WRITE_EVERY_MS = 3_000;
/** The most keys queued between two writes; further ones are recorded at their next use. */
const KEYS_MAX = 10_000;

export type UsedKeys = {
  /** Queues a key's last use, in seconds since 1970 by the database's clock. */
  enqueue(keyId: bigint, at: number): void;
  component: Component;
};

/** Records when keys were last used: queued in memory and written in batches. A crash loses the last few seconds. */
export function createUsedKeys(
  pool: Pool,
  { log, everyMs = WRITE_EVERY_MS }: { log: Logger; everyMs?: number },
): UsedKeys {
  let uses = new Map<bigint, number>();

  async function write(): Promise<void> {
    if (uses.size === 0) return;
    const written = uses;
    uses = new Map();
    await writeLastUses(pool, written);
  }

  const writing = interval({ name: "used keys", everyMs, log }, write);
  return {
    enqueue(keyId, at) {
      if (uses.size < KEYS_MAX || uses.has(keyId)) uses.set(keyId, at);
    },
    component: {
      ...writing,
      stop: async () => {
        await writing.stop();
        await write();
      },
    },
  };
}
