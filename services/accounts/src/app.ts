import { type Bus, createEpochs, createStandings, type Epochs, fulfillContracts } from "@collect/bus";
import { eachMode, enforceRetention, type Pools, type Retention } from "@collect/database";
import { createHttpApp, httpServer } from "@collect/http";
import type { Component, Logger } from "@collect/runtime";
import { createAccountLimits } from "./adapters/limits.ts";
import type { Config } from "./config.ts";
import type { Partners } from "./domain/partners.ts";
import { auditRequests } from "./handlers/audit.ts";
import { collectionAccountRequests } from "./handlers/collection-accounts.ts";
import { customerAccountRequests } from "./handlers/customer-accounts.ts";
import { erasureRequests } from "./handlers/erasures.ts";
import { inboundTransferConsumers, inboundTransferRequests } from "./handlers/inbound-transfers.ts";
import { missedReversalRequests } from "./handlers/missed-reversals.ts";
import { missedTransferRequests } from "./handlers/missed-transfers.ts";
import { operatorRequests } from "./handlers/operator.ts";
import { partnerRequests } from "./handlers/partners.ts";
import { recoveryRequests } from "./handlers/recovery.ts";
import { sandboxRequests } from "./handlers/sandbox.ts";
import { scenarioRequests } from "./handlers/scenarios.ts";
import { simulationRequests } from "./handlers/simulation.ts";
import { testClockRequests } from "./handlers/test-clock.ts";
import { testTransferRequests } from "./handlers/test-transfers.ts";
import { bankDoors } from "./http/bank-door.ts";
import { deleteCreations } from "./store/account-creations.ts";
import { createAwaitRecorded } from "./use-cases/await-recorded.ts";
import { createIntake } from "./use-cases/intake.ts";
import { createTakeReversal } from "./use-cases/take-reversals.ts";
import { createTakeSettlement } from "./use-cases/take-settlement.ts";
import { createTestMoney } from "./use-cases/test-money.ts";
import { AUDITING, type Auditing, createAuditWorker } from "./workers/audit.ts";
import { createReversalAudit } from "./workers/audit-reversals.ts";
import { createCopies } from "./workers/copies.ts";
import { createErasureWorker, ERASING, type Erasing } from "./workers/erasures.ts";
import { measureIntake, measurePools, measureSettled } from "./workers/measurements.ts";
import { createPoolWorker, POOLING, type Pooling } from "./workers/pools.ts";
import { createRecover } from "./workers/recovery.ts";
import { createRedriveWorker } from "./workers/redrive.ts";
import { createReversalWorker, REVERSALS_EVERY_MS } from "./workers/reversals.ts";
import { createSweep, SWEEP, type SweepSchedule } from "./workers/sweep.ts";
import { ASKING, type Asking, createUnreportedWorker } from "./workers/unreported.ts";

export type Deps = {
  config: Pick<Config, "HOST" | "BANK_DOOR_PORT" | "INTAKE_KEY"> &
    Partial<Pick<Config, "AUDIT_EVERY_MS" | "ASK_SETTLED_AFTER_MS" | "TRUSTED_PROXIES" | "POOL_LOW" | "POOL_HIGH">>;
  pools: Pools;
  bus: Bus;
  log: Logger;
  partners: Partners;
  /** Overrides of the workers' schedules, for tests. */
  sweep?: SweepSchedule;
  auditing?: Partial<Auditing>;
  erasing?: Partial<Erasing>;
  pooling?: Partial<Pooling>;
  asking?: Partial<Asking>;
  reversalsEveryMs?: number;
};

/** The accounts of customers and merchants, and the bank doors, where incoming transfers are reported. */
export function createApp(deps: Deps): Component[] {
  const { config, pools, bus, log, partners } = deps;
  const { workers } = pools;
  const recover = createRecover({ pool: workers, bus, intakeKey: config.INTAKE_KEY });
  const epochs = createEpochs({ service: "accounts", pool: workers, bus, log, recover });
  const limits = createAccountLimits(bus);
  const path = { pools: pools.path, bus, log, intakeKey: config.INTAKE_KEY, ownBank: partners.own };
  const intake = createIntake({ ...path, takeReversal: createTakeReversal({ ...path, epochs }) });
  const standings = createStandings(bus);
  const awaitRecorded = createAwaitRecorded(bus, pools.requests.test);
  const asking = askingOf(config, deps.asking);
  const testMoney = createTestMoney({ pool: pools.requests.test, bus, intake, awaitRecorded });
  const door = createHttpApp({
    log,
    trustedProxies: config.TRUSTED_PROXIES,
    routes: bankDoors({
      ...{ intake, bus, log, partners: partners.all },
      takeSettlement: createTakeSettlement({ ...path, pool: pools.path.live, partners, askAfterMs: asking.afterMs }),
    }),
  });
  return [
    epochs.component,
    ...workersOf(deps, epochs),
    measureSettled(workers, partners, asking),
    createUnreportedWorker({ pool: workers, log, intake, partners, epochs, asking }),
    // Stopped before the workers, so that nothing more is taken while they finish.
    ...fulfillContracts(bus, {
      service: "accounts",
      pools: pools.path,
      log,
      consumers: inboundTransferConsumers({ bus, epochs }),
      requests: eachMode((mode) => {
        const [pool, lists] = [pools.requests[mode], pools.lists[mode]];
        const issuing = { pool, partners, accountKey: config.INTAKE_KEY, standings, epochs };
        return [
          ...customerAccountRequests({ ...issuing, lists, limits }),
          ...collectionAccountRequests(issuing),
          ...simulationRequests({ pool, bus, testMoney }),
          ...sandboxRequests({ ...issuing, bus, testMoney }),
          ...scenarioRequests({ pool, bus, intake, intakeKey: config.INTAKE_KEY, awaitRecorded }),
          ...testClockRequests({ pool, bus }),
          ...testTransferRequests({ pool, intake }),
          ...missedTransferRequests({ ...path, pool, intake, partners: partners.all, epochs }),
          ...missedReversalRequests({ ...path, pool, intake, epochs }),
          ...inboundTransferRequests({ pool, lists, epochs }),
          ...auditRequests({ pool: workers }),
          ...operatorRequests({ pool: workers, lists, bus, epochs, partners }),
          ...partnerRequests({ pool: workers, partners }),
          ...erasureRequests({ pool: workers, bus, partners }),
          ...recoveryRequests({ pool: workers, epochs }),
          ...epochs.requests,
        ];
      }),
    }),
    httpServer({ app: door, host: config.HOST, port: config.BANK_DOOR_PORT, log }),
  ];
}

/** What runs beside the requests: measurements, and the work that is due. */
function workersOf(
  { config, pools: { workers: pool }, bus, log, partners, ...given }: Deps,
  epochs: Epochs,
): Component[] {
  const auditing = auditingOf(config, given.auditing);
  return [
    measureIntake(pool),
    measurePools(pool, partners),
    createPoolWorker({ pool, log, partners, epochs, pooling: poolingOf(config, given.pooling) }),
    createSweep({ pool, bus, log, schedule: given.sweep ?? SWEEP }),
    createRedriveWorker({ pool, bus, log }),
    createReversalWorker({
      ...{ pool, bus, log, epochs, ownBank: partners.own },
      everyMs: given.reversalsEveryMs ?? REVERSALS_EVERY_MS,
    }),
    enforceRetention(pool, { log, rules: RETENTION }),
    createCopies({ pool, bus, log }),
    createErasureWorker({ pool, bus, log, partners, erasing: { ...ERASING, ...given.erasing } }),
    createAuditWorker({ pool, bus, log, auditing }),
    createReversalAudit({ pool, bus, log, epochs, everyMs: auditing.everyMs }),
  ];
}

function auditingOf({ AUDIT_EVERY_MS: everyMs = AUDITING.everyMs }: Deps["config"], given: Deps["auditing"]): Auditing {
  return { ...AUDITING, everyMs, ...given };
}

function poolingOf(
  { POOL_LOW: low = POOLING.low, POOL_HIGH: high = POOLING.high }: Deps["config"],
  given: Deps["pooling"],
): Pooling {
  return { ...POOLING, low, high, ...given };
}

function askingOf({ ASK_SETTLED_AFTER_MS: afterMs = ASKING.afterMs }: Deps["config"], given: Deps["asking"]): Asking {
  return { ...ASKING, afterMs, ...given };
}

const RETENTION: Retention[] = [{ name: "counts of new accounts", days: 1, remove: deleteCreations }];
