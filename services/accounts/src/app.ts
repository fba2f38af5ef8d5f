import type { AccountIssuer } from "@collect/bank";
import { answerDeadLetters, type Bus, consumeEvents, serveRequests } from "@collect/bus";
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
import { sandbox } from "./handlers/sandbox.ts";
import { simulation } from "./handlers/simulation.ts";
import { createTestMoney } from "./handlers/test-money.ts";
import { testTransfers } from "./handlers/test-transfers.ts";
import { answerUnderWay } from "./handlers/under-way.ts";
import { AUDITING, type Auditing, createAuditWorker } from "./workers/audit.ts";
import { createRedriveWorker } from "./workers/redrive.ts";
import { createSweep, SWEEP, type SweepSchedule } from "./workers/sweep.ts";

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
  const intake = createIntake({ pool, bus, log, intakeKey: config.INTAKE_KEY });
  const testMoney = createTestMoney({ pool, bus, intake });
  const door = createHttpApp({
    log,
    routes: bankDoor({ intake, secret: config.BANK_DOOR_SECRET, bank: partner.code }),
  });
  return [
    consumeEvents(bus, { service: "accounts", pool, log, consumers: completion }),
    serveRequests(bus, {
      service: "accounts",
      log,
      requests: [
        ...customerAccounts({ pool, partner }),
        customerAccountLists(pool),
        ...collectionAccounts({ pool, partner }),
        simulation({ pool, bus, testMoney }),
        sandbox({ pool, bus, partner, testMoney }),
        testTransfers({ pool, intake }),
        ...inboundTransfers(pool),
        answerUnderWay(pool),
        answerProof(pool),
        ...operatorRequests({ pool, bus }),
        ...answerDeadLetters("accounts", { pool, bus }),
      ],
    }),
    createSweep({ pool, bus, log, schedule: deps.sweep ?? SWEEP }),
    createRedriveWorker({ pool, bus, log }),
    createAuditWorker({ pool, bus, log, auditing: { ...AUDITING, ...deps.auditing } }),
    httpServer({ app: door, host: config.HOST, port: config.BANK_DOOR_PORT, log }),
  ];
}
