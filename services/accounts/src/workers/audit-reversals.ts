import type { Bus, Epochs } from "@collect/bus";
import { listAuditedReversals, REVERSALS_MAX } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { type Records, reversalDifferences } from "../domain/reversal-proof.ts";
import { claimReversalProof, pageOfReversals, readOwnReversals, storeReversalPage } from "../store/reversal-proof.ts";

type Deps = { pool: Pool; bus: Bus; log: Logger; epochs: Pick<Epochs, "isCurrent">; everyMs: number };

/**
 * Compares reversals, round and round in the order of their ids: each has its transaction in the ledger, its record in payments and its
 * event in webhooks, and they have no other. Nothing is locked. While accounts is restored it lacks what the others have.
 */
export function createReversalAudit({ pool, bus, log, epochs, everyMs }: Deps): Component {
  return interval({ name: "audit", everyMs, log }, async () => {
    if (!epochs.isCurrent()) return;
    const after = await claimReversalProof(pool, everyMs / 2);
    if (after === undefined) return;
    const before = await pageOfReversals(pool, after, REVERSALS_MAX);
    const cursor = before.length < REVERSALS_MAX ? null : (before.at(-1)?.reversalId ?? null);
    const records = await recordsOf(bus, { after, up_to: cursor });
    const ids = new Set([
      ...before.map(({ reversalId }) => reversalId),
      ...Object.values(records).flatMap((rows) => rows.map(({ reversal_id }) => reversal_id)),
    ]);
    const differences = reversalDifferences({ before, after: await readOwnReversals(pool, [...ids]), records });
    await storeReversalPage(pool, { cursor, proven: before.length, differences });
    if (differences.length > 0)
      log.error({ alarm: "services_differ", differences }, "services differ from the reversals that accounts admitted");
  });
}

async function recordsOf(bus: Bus, span: { after: string; up_to: string | null }): Promise<Records> {
  const list = async (service: keyof typeof listAuditedReversals) => {
    const contract = listAuditedReversals[service];
    return contract.output.parse(await bus.request(contract, span)).reversals;
  };
  const [ledger, payments, webhooks] = await Promise.all([list("ledger"), list("payments"), list("webhooks")]);
  return { ledger, payments, webhooks };
}
