import type { AccountIssuer } from "@collect/bank";
import { answerDeadLetters, type Bus, createEpochs, fulfillContracts } from "@collect/bus";
import { eachMode, type Pools } from "@collect/database";
import { createHttpApp, httpServer } from "@collect/http";
import type { Component, Logger } from "@collect/runtime";
import type { Config } from "./config.ts";
import { auditRequests } from "./handlers/audit.ts";
import { collectionAccountRequests } from "./handlers/collection-accounts.ts";
import { customerAccountRequests } from "./handlers/customer-accounts.ts";
import { inboundTransferConsumers, inboundTransferRequests } from "./handlers/inbound-transfers.ts";
import { operatorRequests } from "./handlers/operator.ts";
import { recoveryRequests } from "./handlers/recovery.ts";
import { sandboxRequests } from "./handlers/sandbox.ts";
import { simulationRequests } from "./handlers/simulation.ts";
import { testTransferRequests } from "./handlers/test-transfers.ts";
import { bankDoor } from "./http/bank-door.ts";
import { createIntake } from "./use-cases/intake.ts";
import { createTestMoney } from "./use-cases/test-money.ts";
import { AUDITING, type Auditing, createAuditWorker } from "./workers/audit.ts";
import { createCopies } from "./workers/copies.ts";
import { createRecover } from "./workers/recovery.ts";
import { createRedriveWorker } from "./workers/redrive.ts";
import { createSweep, SWEEP, type SweepSchedule } from "./workers/sweep.ts";

export type Deps = {
  config: Pick<Config, "HOST" | "BANK_DOOR_PORT" | "BANK_DOOR_SECRET" | "INTAKE_KEY"> &
    Partial<Pick<Config, "AUDIT_EVERY_MS">>;
  pools: Pools;
  bus: Bus;
  log: Logger;
  partner: AccountIssuer;
  /** Overrides of the workers' schedules, for tests. */
  sweep?: SweepSchedule;
  auditing?: Partial<Auditing>;
};

/** The accounts of customers and merchants, and the bank door, where incoming transfers are reported. */
export function createApp(deps: Deps): Component[] {
  const { config, pools, bus, log, partner } = deps;
  const { workers } = pools;
  const recover = createRecover({ pool: workers, bus });
  const epochs = createEpochs({ service: "accounts", pool: workers, bus, log, recover });
  const intake = createIntake({ pools: pools.path, bus, log, intakeKey: config.INTAKE_KEY });
  const testMoney = createTestMoney({ pool: pools.requests.test, bus, intake });
  const door = createHttpApp({
    log,
    routes: bankDoor({ intake, secret: config.BANK_DOOR_SECRET, bank: partner.code }),
  });
  return [
    epochs.component,
    ...fulfillContracts(bus, {
      service: "accounts",
      pools: pools.path,
      log,
      consumers: inboundTransferConsumers({ bus, epochs }),
      requests: eachMode((mode) => {
        const [pool, lists] = [pools.requests[mode], pools.lists[mode]];
        const issuing = { pool, partner, accountKey: config.INTAKE_KEY };
        return [
          ...customerAccountRequests({ ...issuing, lists }),
          ...collectionAccountRequests(issuing),
          ...simulationRequests({ pool, bus, testMoney }),
          ...sandboxRequests({ ...issuing, bus, testMoney }),
          ...testTransferRequests({ pool, intake }),
          ...inboundTransferRequests({ pool, lists }),
          ...auditRequests({ pool: workers }),
          ...operatorRequests({ pool: workers, lists, bus }),
          ...recoveryRequests({ pool: workers, epochs }),
          ...epochs.requests,
          ...answerDeadLetters("accounts", { pool, bus }),
        ];
      }),
    }),
    createSweep({ pool: workers, bus, log, schedule: deps.sweep ?? SWEEP }),
    createRedriveWorker({ pool: workers, bus, log }),
    createCopies({ pool: workers, bus, log }),
    createAuditWorker({ pool: workers, bus, log, auditing: auditingOf(config, deps.auditing) }),
    httpServer({ app: door, host: config.HOST, port: config.BANK_DOOR_PORT, log }),
  ];
}

function auditingOf({ AUDIT_EVERY_MS: everyMs = AUDITING.everyMs }: Deps["config"], given: Deps["auditing"]): Auditing {
  return { ...AUDITING, everyMs, ...given };
}
