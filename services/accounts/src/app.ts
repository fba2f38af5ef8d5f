import type { Bank } from "@collect/bank";
import { answerDeadLetters, type Bus, consumeEvents, serveRequests } from "@collect/bus";
import type { Pool } from "@collect/database";
import { createHttpApp, httpServer } from "@collect/http";
import type { Logger, Part } from "@collect/runtime";
import type { Config } from "./config.ts";
import { bankDoor } from "./endpoints.ts";
import { completion } from "./handlers/completion.ts";
import { customerAccounts } from "./handlers/customer-accounts.ts";
import { createIntake } from "./handlers/intake.ts";
import { operatorRequests } from "./handlers/operator.ts";
import { createSimulation } from "./handlers/simulation.ts";
import { createSweep, SWEEP, type SweepSchedule } from "./handlers/sweep.ts";

export type Deps = {
  config: Pick<Config, "HOST" | "BANK_DOOR_PORT" | "BANK_DOOR_SECRET" | "INTAKE_KEY">;
  pool: Pool;
  bus: Bus;
  log: Logger;
  partner: Bank;
  sweep?: SweepSchedule;
};

/** Customer accounts, and the door through which money comes in. */
export function createApp(deps: Deps): Part[] {
  const { config, pool, bus, log } = deps;
  const intake = createIntake({ pool, bus, log, intakeKey: config.INTAKE_KEY });
  const simulation = createSimulation({ pool, bus, intake });
  const door = createHttpApp({
    log,
    routes: bankDoor({ intake, secret: config.BANK_DOOR_SECRET, bank: deps.partner.code }),
  });
  return [
    consumeEvents(bus, { service: "accounts", pool, log, consumers: completion }),
    serveRequests(bus, {
      service: "accounts",
      log,
      requests: [
        ...customerAccounts({ pool, partner: deps.partner }),
        simulation,
        ...operatorRequests({ pool, bus }),
        ...answerDeadLetters("accounts", { pool, bus }),
      ],
    }),
    createSweep({ pool, bus, log, schedule: deps.sweep ?? SWEEP }),
    httpServer({ app: door, host: config.HOST, port: config.BANK_DOOR_PORT, log }),
  ];
}
