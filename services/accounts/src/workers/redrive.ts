import { setTimeout as sleep } from "node:timers/promises";
import type { Bus } from "@collect/bus";
import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { BUSY_POLL_MS, isPathBusy } from "../adapters/path.ts";
import {
  advanceRedrive,
  claimRedrive,
  extendLease,
  finishRedrive,
  pageOfRedrive,
  type Redrive,
} from "../store/redrives.ts";
import { publishTransfers } from "../use-cases/publish-transfers.ts";

const PAGE = 500;
const EVERY_MS = 1_000;
/** After this another replica continues the redrive of a crashed one, from the last page. */
const LEASE_MS = 30_000;

type Deps = { pool: Pool; bus: Bus; log: Logger };
type Tick = { signal: AbortSignal; stepped: () => void };

/** Runs the redrives that operators requested, a page at a time and only while the path is not busy. */
export function createRedriveWorker(deps: Deps): Component {
  const { pool, log } = deps;
  return interval({ name: "redrive", everyMs: EVERY_MS, log }, async (signal, stepped) => {
    for (let redrive = await claimRedrive(pool, LEASE_MS); redrive; redrive = await claimRedrive(pool, LEASE_MS)) {
      await runRedrive(deps, redrive, { signal, stepped });
      if (signal.aborted) return extendLease(pool, redrive, 0);
    }
  });
}

async function runRedrive({ pool, bus, log }: Deps, claimed: Redrive, { signal, stepped }: Tick): Promise<void> {
  const line = { redrive: claimed.id.toString(), mode: claimed.mode };
  for (let redrive: Redrive | undefined = claimed; redrive && !signal.aborted; ) {
    const rows = await pageOfRedrive(pool, redrive, PAGE);
    const last = rows.at(-1);
    if (!last) {
      await finishRedrive(pool, redrive);
      return log.info({ ...line, redriven: Number(redrive.redriven), outcome: "finished" }, "redrive");
    }
    await publishTransfers(bus, rows);
    stepped();
    redrive = await advanceRedrive(pool, redrive, { last, count: rows.length, leaseMs: LEASE_MS });
    while (!signal.aborted && (await isPathBusy(bus, claimed.mode))) {
      stepped();
      await extendLease(pool, claimed, LEASE_MS);
      await sleep(BUSY_POLL_MS, undefined, { signal }).catch(() => {});
    }
  }
}
