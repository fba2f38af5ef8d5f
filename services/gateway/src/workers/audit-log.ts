import { instantOf } from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { z } from "zod";
import { append, headsSince } from "../store/audit-log.ts";
import { oldEntriesAfter } from "../store/old-audit-log.ts";
import { addOperatorKeys, type OperatorKey } from "../store/operators.ts";

const EVERY_MS = 600_000;
const HEADS_MAX = 1_000;
const PAGE = 500;

/** The operators that the configuration names. Whoever was removed since stays removed. */
export function addConfiguredOperators(pool: Pool, operators: OperatorKey[]): Component {
  return {
    name: "operators",
    start: async () => void (operators.length > 0 && (await addOperatorKeys(pool, operators))),
    stop: async () => {},
  };
}

/**
 * Anchors of the audit log: the heads of the chains that grew go to the service's own log, which is kept elsewhere. A chain
 * whose end was cut off since does not contain them any more.
 */
export function logHeads(pool: Pool, { log, everyMs = EVERY_MS }: { log: Logger; everyMs?: number }): Component {
  let since = new Date(Date.now() - everyMs);
  return interval({ name: "audit log heads", everyMs, log }, async () => {
    const now = new Date();
    for (const { chain, seq, hash } of await headsSince(pool, instantOf(since), HEADS_MAX))
      log.info({ chain, head: `${seq}:${hash}` }, "audit log head");
    since = now;
  });
}

const Detail = z.record(z.string(), z.unknown());

/** Copies the log of the previous release, which runs beside this one during an upgrade. Each row has a key: a repeat copies nothing. */
export function copyOldAuditLog(pool: Pool, { log, everyMs = EVERY_MS }: { log: Logger; everyMs?: number }): Component {
  return interval({ name: "old audit log", everyMs, log }, async (signal) => {
    for (let after = 0n; !signal.aborted; ) {
      const rows = await oldEntriesAfter(pool, after, PAGE);
      for (const [merchant_id, ofMerchant] of Map.groupBy(rows, (row) => row.merchant_id)) {
        const entries = ofMerchant.map(({ id, action, detail, request_id, at }) => ({
          ...{ merchant_id, mode: null, action, detail: Detail.parse(detail), at },
          actor: { kind: "system" as const, service: "before actors were recorded" },
          requestId: request_id,
          outcome: "done" as const,
          key: `gateway:${id}`,
        }));
        await transaction(pool, (tx) => append(tx, merchant_id, entries));
      }
      after = rows.at(-1)?.id ?? after;
      if (rows.length < PAGE) return;
    }
  });
}
