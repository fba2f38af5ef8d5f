import { createTestBank, type PayoutBank } from "@collect/bank";
import { answerDeadLetters, type Bus, consumeEvents, serveRequests } from "@collect/bus";
import type { Pool } from "@collect/database";
import type { Logger, Part } from "@collect/runtime";
import { createLedger } from "./adapters/ledger.ts";
import type { Config } from "./config.ts";
import { TRANSFER_TIMES, type TransferTimes } from "./domain/transfer-times.ts";
import { auditRequests } from "./handlers/audit.ts";
import { bankRequests } from "./handlers/banks.ts";
import { collectionRequests } from "./handlers/collection-lists.ts";
import { acceptCollections } from "./handlers/collections.ts";
import { createOpening, type SessionConfig } from "./handlers/open-session.ts";
import { openingRequests } from "./handlers/opening.ts";
import { linkRequests } from "./handlers/payment-links.ts";
import { sessionLists } from "./handlers/session-lists.ts";
import { sessionRequests } from "./handlers/sessions.ts";
import { transferLists } from "./handlers/transfer-lists.ts";
import { stopTelling, transferRequests } from "./handlers/transfers.ts";
import { createAnnouncements } from "./workers/announcements.ts";
import { createExpiryWorker, EXPIRING, type Expiring } from "./workers/expiry.ts";
import { createTransferWorker } from "./workers/transfers.ts";

export type Deps = {
  config: SessionConfig & Pick<Config, "TRANSFER_UNKNOWN_AFTER_S" | "PAID_AT_TOLERANCE_S">;
  pool: Pool;
  bus: Bus;
  log: Logger;
  /** The bank through which live transfers go. */
  partner: PayoutBank;
  /** The times of transfers, where a test needs others. */
  transferTimes?: Partial<TransferTimes>;
  /** How sessions expire, where a test needs it otherwise. */
  expiring?: Partial<Expiring>;
};

/** Sessions, payment links, collections, payers and transfers. */
export function createApp({ config, pool, bus, log, partner, ...given }: Deps): Part[] {
  const banks = { test: createTestBank(), live: partner };
  const ledger = createLedger(bus);
  const unknownAfterMs = config.TRANSFER_UNKNOWN_AFTER_S * 1_000;
  const times = { ...TRANSFER_TIMES, unknownAfterMs, ...given.transferTimes };
  const worker = createTransferWorker({ pool, bus, log, ledger, banks, times });
  const announce = createAnnouncements({ bus, log });
  const open = createOpening({ config, pool, bus, announce });
  const consumers = [acceptCollections({ pool, toleranceMs: config.PAID_AT_TOLERANCE_S * 1_000 }), stopTelling(worker)];
  return [
    consumeEvents(bus, { service: "payments", pool, log, consumers }),
    serveRequests(bus, {
      service: "payments",
      log,
      requests: [
        ...openingRequests({ config, pool, open }),
        ...linkRequests({ config, pool, open }),
        ...sessionRequests({ config, pool, announce }),
        ...sessionLists({ config, pool }),
        ...collectionRequests({ pool }),
        ...auditRequests({ pool }),
        ...bankRequests(banks),
        ...transferRequests({ pool, ledger, banks, worker }),
        ...transferLists({ pool }),
        ...answerDeadLetters("payments", { pool, bus }),
      ],
    }),
    worker,
    createExpiryWorker({
      ...{ pool, bus, log, announce, slotPauseS: config.SLOT_PAUSE_S },
      expiring: { ...EXPIRING, ...given.expiring },
    }),
  ];
}
