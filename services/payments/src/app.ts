import { createTestBank, type PayoutBank } from "@collect/bank";
import { answerDeadLetters, type Bus, createEpochs, fulfillContracts } from "@collect/bus";
import { eachMode, type Pools } from "@collect/database";
import type { Component, Logger } from "@collect/runtime";
import type { Config } from "./config.ts";
import { auditRequests } from "./handlers/audit.ts";
import { createAnnouncements } from "./inbound/adapters/announcements.ts";
import { acceptCollections, collectionRequests } from "./inbound/handlers/collections.ts";
import { payerRequests } from "./inbound/handlers/payers.ts";
import { paymentLinkRequests } from "./inbound/handlers/payment-links.ts";
import { inboundRecoveryRequests } from "./inbound/handlers/recovery.ts";
import { sessionRequests } from "./inbound/handlers/sessions.ts";
import { createSessions, type SessionConfig } from "./inbound/use-cases/create-session.ts";
import { createExpiryWorker, EXPIRING, type Expiring } from "./inbound/workers/expiry.ts";
import { createLedger } from "./outbound/adapters/ledger.ts";
import { TRANSFER_TIMES, type TransferTimes } from "./outbound/domain/transfer-times.ts";
import { bankRequests } from "./outbound/handlers/banks.ts";
import { outboundRecoveryRequests } from "./outbound/handlers/recovery.ts";
import { acceptRecordedEvents, transferRequests } from "./outbound/handlers/transfers.ts";
import { createTransferWorker } from "./outbound/workers/transfers.ts";
import { openPrisma } from "./store/prisma.ts";
import { AUDITING, type Auditing, createAuditWorker } from "./workers/audit.ts";
import { createRecover } from "./workers/recovery.ts";

export type Deps = {
  config: SessionConfig &
    Pick<Config, "TRANSFER_KEY" | "TRANSFER_UNKNOWN_AFTER_S" | "PAID_AT_TOLERANCE_S"> &
    Partial<Pick<Config, "AUDIT_EVERY_MS">>;
  pools: Pools;
  bus: Bus;
  log: Logger;
  /** The bank that executes live transfers. */
  partner: PayoutBank;
  /** Overrides for tests. */
  transferTimes?: Partial<TransferTimes>;
  expiring?: Partial<Expiring>;
  auditing?: Partial<Auditing>;
};

/** Sessions, payment links, collections, payers and transfers. */
export function createApp({ config, pools, bus, log, partner, ...given }: Deps): Component[] {
  const banks = { test: createTestBank(), live: partner };
  const ledger = createLedger(bus);
  const unknownAfterMs = config.TRANSFER_UNKNOWN_AFTER_S * 1_000;
  const times = { ...TRANSFER_TIMES, unknownAfterMs, ...given.transferTimes };
  const { workers } = pools;
  const recover = createRecover({ pool: workers, bus, log });
  const epochs = createEpochs({ service: "payments", pool: workers, bus, log, recover });
  const worker = createTransferWorker({ pools: pools.path, bus, log, ledger, banks, times, epochs });
  const announce = createAnnouncements({ bus, log });
  const toleranceMs = config.PAID_AT_TOLERANCE_S * 1_000;
  const consumers = [acceptCollections({ pools: pools.path, bus, epochs, toleranceMs }), acceptRecordedEvents(worker)];
  return [
    epochs.component,
    ...fulfillContracts(bus, {
      service: "payments",
      pools: pools.path,
      log,
      consumers,
      requests: eachMode((mode) => {
        const [pool, lists] = [pools.requests[mode], pools.lists[mode]];
        const prisma = openPrisma(lists);
        const createSession = createSessions({ config, pool, bus, announce, epochs });
        return [
          ...sessionRequests({ config, pool, prisma, lists, announce, epochs, createSession }),
          ...paymentLinkRequests({ config, pool, lists, createSession }),
          ...collectionRequests({ prisma, lists }),
          ...payerRequests({ pool: lists }),
          ...auditRequests({ pool: workers }),
          ...bankRequests({ banks }),
          ...transferRequests({ config, epochs, pool, prisma, ledger, banks, worker }),
          ...inboundRecoveryRequests({ pool: workers, epochs }),
          ...outboundRecoveryRequests({ pool: workers, epochs }),
          ...epochs.requests,
          ...answerDeadLetters("payments", { pool, bus }),
        ];
      }),
    }),
    worker,
    createExpiryWorker({ pool: workers, bus, log, announce, epochs, expiring: { ...EXPIRING, ...given.expiring } }),
    createAuditWorker({ pool: workers, bus, log, auditing: auditingOf(config, given.auditing) }),
  ];
}

function auditingOf({ AUDIT_EVERY_MS: everyMs = AUDITING.everyMs }: Deps["config"], given: Deps["auditing"]): Auditing {
  return { ...AUDITING, everyMs, ...given };
}
