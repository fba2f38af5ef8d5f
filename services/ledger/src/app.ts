import { answerDeadLetters, type Bus, consumeEvents, serveRequests } from "@collect/bus";
import type { Pool } from "@collect/database";
import type { Logger, Part } from "@collect/runtime";
import type { Config } from "./config.ts";
import { auditRequests } from "./handlers/audit.ts";
import { answerBalance } from "./handlers/balances.ts";
import { postCollections } from "./handlers/collections.ts";
import { feeScheduleRequest } from "./handlers/fee-schedules.ts";
import { settlementHistory } from "./handlers/settlement-history.ts";
import { settlementRequests } from "./handlers/settlements.ts";
import { postSuspense } from "./handlers/suspense.ts";
import { answerTransaction } from "./handlers/transactions.ts";
import { outboundTransfers } from "./handlers/transfers.ts";
import { AUDITING, type Auditing, createAuditWorker } from "./workers/audit.ts";
import { createHeadroomWorker } from "./workers/headroom.ts";
import { createSettlementWorker, SETTLING, type Settling } from "./workers/settlement.ts";

export type Deps = {
  config: Pick<Config, "LEDGER_STRIPE">;
  /** Of requests and workers. */
  pool: Pool;
  /** Of what posts the money that came: no flood of requests takes its connections. */
  postingPool: Pool;
  bus: Bus;
  log: Logger;
  /** The times and measures of the workers, where a test needs others. */
  settling?: Partial<Settling>;
  auditing?: Partial<Auditing>;
};

/** What the ledger does with its connections: posts what came, settles, proves itself, and answers what stands. */
export function createApp({ config, pool, postingPool, bus, log, ...given }: Deps): Part[] {
  const settling = { ...SETTLING, ...given.settling };
  const posting = { stripe: config.LEDGER_STRIPE, log };
  return [
    consumeEvents(bus, {
      service: "ledger",
      pool: postingPool,
      log,
      consumers: [postCollections(posting), postSuspense(posting)],
    }),
    serveRequests(bus, {
      service: "ledger",
      log,
      requests: [
        answerBalance(pool),
        ...outboundTransfers({ pool, ...posting }),
        ...settlementRequests(pool, settling.readNow),
        ...settlementHistory(pool),
        answerTransaction(pool),
        feeScheduleRequest(pool),
        ...auditRequests(pool),
        ...answerDeadLetters("ledger", { pool, bus }),
      ],
    }),
    createSettlementWorker({ pool, log, settling }),
    createAuditWorker({ pool, log, auditing: { ...AUDITING, ...given.auditing } }),
    createHeadroomWorker({ pool, log }),
  ];
}
