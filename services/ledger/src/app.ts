import { type Bus, createEpochs, fulfillContracts } from "@collect/bus";
import { eachMode, type Pools } from "@collect/database";
import type { Component, Logger } from "@collect/runtime";
import type { Config } from "./config.ts";
import { NO_LIMITS, type PayoutLimits } from "./domain/payout-limits.ts";
import { auditRequests } from "./handlers/audit.ts";
import { balanceRequests } from "./handlers/balances.ts";
import { bankBalanceRequests } from "./handlers/bank-balances.ts";
import { bookRequests } from "./handlers/books.ts";
import { postCollections } from "./handlers/collections.ts";
import { dayTotalRequests } from "./handlers/day-totals.ts";
import { erasureRequests } from "./handlers/erasures.ts";
import { feeScheduleRequests } from "./handlers/fee-schedules.ts";
import { payoutLimitRequests } from "./handlers/payout-limits.ts";
import { recoveryRequests } from "./handlers/recovery.ts";
import { refusedReversalRequests } from "./handlers/refused-reversals.ts";
import { postReversals, postSuspenseReversals } from "./handlers/reversals.ts";
import { settlementRequests } from "./handlers/settlements.ts";
import { settlementsByKey } from "./handlers/settlements-by-key.ts";
import { postSuspense } from "./handlers/suspense.ts";
import { testClockRequests } from "./handlers/test-clock.ts";
import { transactionRequests } from "./handlers/transactions.ts";
import { transferRequests } from "./handlers/transfers.ts";
import { sumLines as sumOf } from "./store/settlement-history.ts";
import { createSettlementSums } from "./use-cases/sum-settlements.ts";
import { AUDITING, type Auditing, createAuditWorker } from "./workers/audit.ts";
import { createHeadroomWorker } from "./workers/headroom.ts";
import { measureAudit } from "./workers/measurements.ts";
import { createRecover } from "./workers/recovery.ts";
import { createSettlementWorker, SETTLING, type Settling } from "./workers/settlement.ts";

export type Deps = {
  config: Pick<Config, "LEDGER_SHARD"> & Partial<Pick<Config, "AUDIT_EVERY_MS" | PayoutMax>>;
  /** Posting uses connections of its own, so a flood of requests cannot exhaust them. */
  pools: Pools;
  bus: Bus;
  log: Logger;
  /** Overrides of the workers' intervals and limits, for tests. */
  settling?: Partial<Settling>;
  auditing?: Partial<Auditing>;
};

type PayoutMax = "PAYOUT_TRANSFER_MAX" | "PAYOUT_DAY_MAX";

/** The ledger's components: post collections, settle, audit itself, and answer requests. */
export function createApp({ config, pools, bus, log, ...given }: Deps): Component[] {
  const settling = { ...SETTLING, ...given.settling };
  const posting = { shard: config.LEDGER_SHARD, log };
  const { workers } = pools;
  const standardLimits = standardLimitsOf(config);
  const recover = createRecover({ pool: workers, bus, ...posting });
  const epochs = createEpochs({ service: "ledger", pool: workers, bus, log, recover });
  const reversing = { ...posting, pools: pools.path, epochs };
  return [
    epochs.component,
    createSettlementWorker({ pool: workers, log, settling }),
    createAuditWorker({ pool: workers, log, auditing: auditingOf(config, given.auditing) }),
    createHeadroomWorker({ pool: workers, log }),
    measureAudit(workers),
    // Stopped before the workers, so that nothing more is taken while they finish.
    ...fulfillContracts(bus, {
      service: "ledger",
      pools: pools.path,
      log,
      consumers: [
        ...[postCollections({ ...posting, bus, epochs }), postSuspense(posting)],
        ...[postReversals(reversing), postSuspenseReversals(reversing)],
      ],
      requests: eachMode((mode) => {
        const [pool, lists] = [pools.requests[mode], pools.lists[mode]];
        const sumLines = createSettlementSums((merchant, versions) => sumOf(lists, merchant, versions));
        return [
          ...balanceRequests({ pool, epochs }),
          ...bankBalanceRequests({ lists, epochs }),
          ...dayTotalRequests({ pool, lists, epochs, ...posting }),
          ...transferRequests({ pool, epochs, standardLimits, ...posting }),
          ...payoutLimitRequests({ pool, standardLimits }),
          ...settlementRequests({ pool, lists, sumLines, epochs, readNow: settling.readNow }),
          ...bookRequests({ pool, lists, epochs }),
          ...settlementsByKey({ pool, lists, sumLines, bus, epochs }),
          ...testClockRequests({ pool, epochs }),
          ...transactionRequests({ pool: lists }),
          ...feeScheduleRequests({ pool }),
          ...auditRequests({ pool: workers }),
          ...erasureRequests({ pool: workers }),
          ...recoveryRequests({ pool: workers, epochs }),
          ...refusedReversalRequests({ pool: workers, epochs }),
          ...epochs.requests,
        ];
      }),
    }),
  ];
}

function auditingOf({ AUDIT_EVERY_MS: everyMs = AUDITING.everyMs }: Deps["config"], given: Deps["auditing"]): Auditing {
  return { ...AUDITING, everyMs, ...given };
}

function standardLimitsOf({ PAYOUT_TRANSFER_MAX, PAYOUT_DAY_MAX }: Deps["config"]): PayoutLimits {
  const kobo = (naira: number | undefined) => (naira === undefined ? null : BigInt(naira) * 100n);
  return { ...NO_LIMITS, transferMax: kobo(PAYOUT_TRANSFER_MAX), dayMax: kobo(PAYOUT_DAY_MAX) };
}
