import type { LocalPartner } from "@collect/bank";
import { type Bus, createEpochs, createStandings, fulfillContracts } from "@collect/bus";
import { eachMode, enforceRetention, type Pools, type Retention } from "@collect/database";
import { createHttpApp, httpServer } from "@collect/http";
import type { Component, Logger } from "@collect/runtime";
import { createAccountLimits } from "./adapters/limits.ts";
import type { Config } from "./config.ts";
import { auditRequests } from "./handlers/audit.ts";
import { collectionAccountRequests } from "./handlers/collection-accounts.ts";
import { customerAccountRequests } from "./handlers/customer-accounts.ts";
import { erasureRequests } from "./handlers/erasures.ts";
import { inboundTransferConsumers, inboundTransferRequests } from "./handlers/inbound-transfers.ts";
import { operatorRequests } from "./handlers/operator.ts";
import { recoveryRequests } from "./handlers/recovery.ts";
import { sandboxRequests } from "./handlers/sandbox.ts";
import { scenarioRequests } from "./handlers/scenarios.ts";
import { simulationRequests } from "./handlers/simulation.ts";
import { testClockRequests } from "./handlers/test-clock.ts";
import { testTransferRequests } from "./handlers/test-transfers.ts";
import { bankDoor } from "./http/bank-door.ts";
import { deleteCreations } from "./store/account-creations.ts";
import { createAwaitRecorded } from "./use-cases/await-recorded.ts";
import { createIntake } from "./use-cases/intake.ts";
import { createTakeReversal } from "./use-cases/take-reversals.ts";
import { createTestMoney } from "./use-cases/test-money.ts";
import { AUDITING, type Auditing, createAuditWorker } from "./workers/audit.ts";
import { createReversalAudit } from "./workers/audit-reversals.ts";
import { createCopies } from "./workers/copies.ts";
import { createErasureWorker, ERASING, type Erasing } from "./workers/erasures.ts";
import { measureIntake } from "./workers/measurements.ts";
import { createRecover } from "./workers/recovery.ts";
import { createRedriveWorker } from "./workers/redrive.ts";
import { createReversalWorker, REVERSALS_EVERY_MS } from "./workers/reversals.ts";
import { createSweep, SWEEP, type SweepSchedule } from "./workers/sweep.ts";

export type Deps = {
  config: Pick<Config, "HOST" | "BANK_DOOR_PORT" | "INTAKE_KEY"> &
    Partial<Pick<Config, "AUDIT_EVERY_MS" | "TRUSTED_PROXIES">>;
  pools: Pools;
  bus: Bus;
  log: Logger;
  partner: LocalPartner;
  /** Overrides of the workers' schedules, for tests. */
  sweep?: SweepSchedule;
  auditing?: Partial<Auditing>;
  erasing?: Partial<Erasing>;
  reversalsEveryMs?: number;
};

/** The accounts of customers and merchants, and the bank door, where incoming transfers are reported. */
export function createApp(deps: Deps): Component[] {
  const { config, pools, bus, log, partner } = deps;
  const { workers } = pools;
  const auditing = auditingOf(config, deps.auditing);
  const recover = createRecover({ pool: workers, bus });
  const epochs = createEpochs({ service: "accounts", pool: workers, bus, log, recover });
  const limits = createAccountLimits(bus);
  const takeReversal = createTakeReversal({ pools: pools.path, bus, log, intakeKey: config.INTAKE_KEY, epochs });
  const intake = createIntake({ pools: pools.path, bus, log, intakeKey: config.INTAKE_KEY, takeReversal });
  const standings = createStandings(bus);
  const awaitRecorded = createAwaitRecorded(bus, pools.requests.test);
  const testMoney = createTestMoney({ pool: pools.requests.test, bus, intake, awaitRecorded });
  const door = createHttpApp({
    log,
    trustedProxies: config.TRUSTED_PROXIES,
    routes: bankDoor({ intake, partner }),
  });
  return [
    epochs.component,
    measureIntake(workers),
    createSweep({ pool: workers, bus, log, schedule: deps.sweep ?? SWEEP }),
    createRedriveWorker({ pool: workers, bus, log }),
    createReversalWorker({ pool: workers, bus, log, epochs, everyMs: deps.reversalsEveryMs ?? REVERSALS_EVERY_MS }),
    enforceRetention(workers, { log, rules: RETENTION }),
    createCopies({ pool: workers, bus, log }),
    createErasureWorker({ pool: workers, bus, log, erasing: { ...ERASING, ...deps.erasing } }),
    createAuditWorker({ pool: workers, bus, log, auditing }),
    createReversalAudit({ pool: workers, bus, log, epochs, everyMs: auditing.everyMs }),
    // Stopped before the workers, so that nothing more is taken while they finish.
    ...fulfillContracts(bus, {
      service: "accounts",
      pools: pools.path,
      log,
      consumers: inboundTransferConsumers({ bus, epochs }),
      requests: eachMode((mode) => {
        const [pool, lists] = [pools.requests[mode], pools.lists[mode]];
        const issuing = { pool, partner, accountKey: config.INTAKE_KEY, standings };
        return [
          ...customerAccountRequests({ ...issuing, lists, limits }),
          ...collectionAccountRequests(issuing),
          ...simulationRequests({ pool, bus, testMoney }),
          ...sandboxRequests({ ...issuing, bus, testMoney }),
          ...scenarioRequests({ pool, bus, intake, intakeKey: config.INTAKE_KEY, awaitRecorded }),
          ...testClockRequests({ pool, bus }),
          ...testTransferRequests({ pool, intake }),
          ...inboundTransferRequests({ pool, lists }),
          ...auditRequests({ pool: workers }),
          ...operatorRequests({ pool: workers, lists, bus, partner }),
          ...erasureRequests({ pool: workers, bus }),
          ...recoveryRequests({ pool: workers, epochs }),
          ...epochs.requests,
        ];
      }),
    }),
    httpServer({ app: door, host: config.HOST, port: config.BANK_DOOR_PORT, log }),
  ];
}

function auditingOf({ AUDIT_EVERY_MS: everyMs = AUDITING.everyMs }: Deps["config"], given: Deps["auditing"]): Auditing {
  return { ...AUDITING, everyMs, ...given };
}

const RETENTION: Retention[] = [{ name: "counts of new accounts", days: 1, remove: deleteCreations }];
