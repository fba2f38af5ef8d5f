import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { writeLastUses } from "../store/used-keys.ts";

const WRITE_EVERY_MS = 3_000;
/** Keys remembered between two writes; what comes above it is noted when it is used the next time. */
const KEYS_MAX = 10_000;

export type UsedKeys = {
  /** Remembers that a key was used, in seconds since 1970 by the database's clock. */
  note(keyId: bigint, at: number): void;
  component: Component;
};

/** When keys were last used: noted in memory, written together now and then. A crash loses the last few seconds' notes. */
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
    note(keyId, at) {
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
