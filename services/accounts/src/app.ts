import type { AccountIssuer } from "@collect/bank";
import { answerDeadLetters, type Bus, consumeEvents, createEpochs, serveRequests } from "@collect/bus";
import type { Pool } from "@collect/database";
import { createHttpApp, httpServer } from "@collect/http";
import type { Logger, Part } from "@collect/runtime";
import type { Config } from "./config.ts";
import { bankDoor } from "./endpoints.ts";
import { answerProof } from "./handlers/audit.ts";
import { collectionAccounts } from "./handlers/collection-accounts.ts";
import { completion } from "./handlers/completion.ts";
import { customerAccountLists } from "./handlers/customer-account-lists.ts";
import { customerAccounts } from "./handlers/customer-accounts.ts";
import { inboundTransfers } from "./handlers/inbound-transfers.ts";
import { createIntake } from "./handlers/intake.ts";
import { operatorRequests } from "./handlers/operator.ts";
import { recoveryRequests } from "./handlers/recovery.ts";
import { sandbox } from "./handlers/sandbox.ts";
import { simulation } from "./handlers/simulation.ts";
import { createSweep, SWEEP, type SweepSchedule } from "./handlers/sweep.ts";
import { createTestMoney } from "./handlers/test-money.ts";
import { testTransfers } from "./handlers/test-transfers.ts";
import { answerUnderWay } from "./handlers/under-way.ts";
import { AUDITING, type Auditing, createAuditWorker } from "./workers/audit.ts";
import { createCopies } from "./workers/copies.ts";
import { createRecover } from "./workers/recovery.ts";

export type Deps = {
  config: Pick<Config, "HOST" | "BANK_DOOR_PORT" | "BANK_DOOR_SECRET" | "INTAKE_KEY">;
  pool: Pool;
  bus: Bus;
  log: Logger;
  partner: AccountIssuer;
  /** The times of the workers, where a test needs others. */
  sweep?: SweepSchedule;
  auditing?: Partial<Auditing>;
};

/** The accounts of customers and merchants, and the door through which money comes in. */
export function createApp(deps: Deps): Part[] {
  const { config, pool, bus, log, partner } = deps;
  const epochs = createEpochs({ service: "accounts", pool, bus, log, recover: createRecover({ pool, bus }) });
  const issuing = { pool, partner, accountKey: config.INTAKE_KEY };
  const intake = createIntake({ pool, bus, log, intakeKey: config.INTAKE_KEY });
  const testMoney = createTestMoney({ pool, bus, intake });
  const door = createHttpApp({
    log,
    routes: bankDoor({ intake, secret: config.BANK_DOOR_SECRET, bank: partner.code }),
  });
  return [
    epochs.part,
    consumeEvents(bus, { service: "accounts", pool, log, consumers: completion({ bus, epochs }) }),
    serveRequests(bus, {
      service: "accounts",
      log,
      requests: [
        ...customerAccounts(issuing),
        customerAccountLists(pool),
        ...collectionAccounts(issuing),
        simulation({ pool, bus, testMoney }),
        sandbox({ ...issuing, bus, testMoney }),
        testTransfers({ pool, intake }),
        ...inboundTransfers(pool),
        answerUnderWay(pool),
        answerProof(pool),
        ...operatorRequests({ pool, bus }),
        ...recoveryRequests({ pool, epochs }),
        ...epochs.requests,
        ...answerDeadLetters("accounts", { pool, bus }),
      ],
    }),
    createSweep({ pool, bus, log, schedule: deps.sweep ?? SWEEP }),
    createCopies({ pool, bus, log }),
    createAuditWorker({ pool, bus, log, auditing: { ...AUDITING, ...deps.auditing } }),
    httpServer({ app: door, host: config.HOST, port: config.BANK_DOOR_PORT, log }),
  ];
}
