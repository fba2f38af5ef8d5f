import { createTestBank, TEST_BANK } from "@collect/bank";
import {
  type Bus,
  createEpochs,
  createStandings,
  type Epochs,
  fulfillContracts,
  type Request,
  type Standings,
} from "@collect/bus";
import type { Mode } from "@collect/contracts";
import { eachMode, enforceRetention, type Pools, type Retention } from "@collect/database";
import type { Logger } from "@collect/runtime";
import type { Config } from "./config.ts";
import { auditRequests } from "./handlers/audit.ts";
import { eventRecoveryRequests } from "./handlers/recovery.ts";
import { searchRequests } from "./handlers/search.ts";
import { testClockRequests } from "./handlers/test-clock.ts";
import { createAnnouncements } from "./inbound/adapters/announcements.ts";
import { acceptRecordedAttachments, attachmentRequests } from "./inbound/handlers/attachments.ts";
import { businessProfileRequests } from "./inbound/handlers/business-profiles.ts";
import { checkoutSettingsRequests } from "./inbound/handlers/checkout-settings.ts";
import { collectionRequests } from "./inbound/handlers/collection-lists.ts";
import { acceptCollections } from "./inbound/handlers/collections.ts";
import { collectionsByKey } from "./inbound/handlers/collections-by-key.ts";
import { erasureRequests } from "./inbound/handlers/erasures.ts";
import { payerRequests } from "./inbound/handlers/payers.ts";
import { paymentLinkListRequests } from "./inbound/handlers/payment-link-lists.ts";
import { paymentLinkRequests } from "./inbound/handlers/payment-links.ts";
import { paymentsByKey } from "./inbound/handlers/payments-by-key.ts";
import { inboundRecoveryRequests } from "./inbound/handlers/recovery.ts";
import { acceptRecordedReversals, acceptReversals } from "./inbound/handlers/reversals.ts";
import { sessionListRequests } from "./inbound/handlers/session-lists.ts";
import { sessionRequests } from "./inbound/handlers/sessions.ts";
import { forgetUnpaidPayers } from "./inbound/store/payer-details.ts";
import { createSessions, type SessionConfig } from "./inbound/use-cases/create-session.ts";
import { createFreeSlots } from "./inbound/use-cases/free-slots.ts";
import { createGiveDetails } from "./inbound/use-cases/give-details.ts";
import { ATTACHING, type Attaching, createAttachmentsWorker } from "./inbound/workers/attachments.ts";
import { createExpiryWorker, EXPIRING, type Expiring } from "./inbound/workers/expiry.ts";
import { createLedger } from "./outbound/adapters/ledger.ts";
import { ENQUIRY_LIMITS, type EnquiryLimits } from "./outbound/domain/enquiry-limits.ts";
import { onlyPartner, type PayoutPartners } from "./outbound/domain/payout-partners.ts";
import { TRANSFER_TIMES, type TransferTimes } from "./outbound/domain/transfer-times.ts";
import { approvalRequests } from "./outbound/handlers/approvals.ts";
import { bankRequests } from "./outbound/handlers/banks.ts";
import { beneficiaryRequests } from "./outbound/handlers/beneficiaries.ts";
import { partnerRequests } from "./outbound/handlers/partner.ts";
import { payeeRequests } from "./outbound/handlers/payees.ts";
import { payoutRequests } from "./outbound/handlers/payouts.ts";
import { payoutOfLineRequests } from "./outbound/handlers/payouts-of-lines.ts";
import { outboundRecoveryRequests } from "./outbound/handlers/recovery.ts";
import { returnedPayoutRequests } from "./outbound/handlers/returned-payouts.ts";
import { transferBatchRequests } from "./outbound/handlers/transfer-batches.ts";
import { transferListRequests } from "./outbound/handlers/transfer-lists.ts";
import { acceptRecordedEvents, transferRequests } from "./outbound/handlers/transfers.ts";
import { unansweredPayoutRequests } from "./outbound/handlers/unanswered-payouts.ts";
import { deleteEnquiries } from "./outbound/store/account-enquiries.ts";
import { deleteOldBatches } from "./outbound/store/transfer-batches.ts";
import type { OrderDeps } from "./outbound/use-cases/order-transfer.ts";
import { createBatchWorker } from "./outbound/workers/batches.ts";
import { measurePayouts } from "./outbound/workers/measurements.ts";
import { createTransferWorker } from "./outbound/workers/transfers.ts";
import { openPrisma } from "./store/prisma.ts";
import { AUDITING, type Auditing, createAuditWorker } from "./workers/audit.ts";
import { createRecover } from "./workers/recovery.ts";

export type Deps = {
  config: SessionConfig &
    Pick<Config, "TRANSFER_KEY" | "TRANSFER_UNKNOWN_AFTER_S" | "PAID_AT_TOLERANCE_S"> &
    Partial<Pick<Config, "AUDIT_EVERY_MS" | "ENQUIRY_LOG_DAYS" | "UNPAID_PAYER_DAYS">>;
  pools: Pools;
  bus: Bus;
  log: Logger;
  /** Those that execute live transfers. */
  partners: PayoutPartners;
  /** Overrides for tests. */
  transferTimes?: Partial<TransferTimes>;
  expiring?: Partial<Expiring>;
  attaching?: Partial<Attaching>;
  auditing?: Partial<Auditing>;
  enquiryLimits?: EnquiryLimits | undefined;
};

/** Sessions, payment links, collections, payers and transfers. */
export function createApp({ config, pools, bus, log, partners: live, enquiryLimits = ENQUIRY_LIMITS, ...given }: Deps) {
  const testBank = { id: TEST_BANK.code, name: TEST_BANK.name, payouts: createTestBank(), check: async () => [] };
  const partners = { test: onlyPartner(testBank), live };
  const ledger = createLedger(bus);
  const times = timesOf(config, given.transferTimes);
  const { workers } = pools;
  const recover = createRecover({ pool: workers, bus, log });
  const epochs = createEpochs({ service: "payments", pool: workers, bus, log, recover });
  const standings = createStandings(bus);
  const worker = createTransferWorker({ pools: pools.path, bus, log, ledger, partners, standings, times, epochs });
  const ordering = { config, ledger, partners, standings, times, enquiryLimits, worker };
  const batches = createBatchWorker({ ...ordering, pools: pools.path, log, epochs });
  const announce = createAnnouncements({ bus, log });
  const consumers = [
    acceptCollections({ pools: pools.path, bus, epochs, toleranceMs: config.PAID_AT_TOLERANCE_S * 1_000 }),
    ...[acceptRecordedEvents(worker), acceptRecordedAttachments()],
    ...[acceptReversals({ pools: pools.path, epochs }), acceptRecordedReversals()],
  ];
  return [
    epochs.component,
    measurePayouts(workers, live),
    worker,
    batches,
    createAttachmentsWorker({ pool: workers, bus, log, epochs, attaching: { ...ATTACHING, ...given.attaching } }),
    createExpiryWorker({ pool: workers, bus, log, announce, epochs, expiring: { ...EXPIRING, ...given.expiring } }),
    createAuditWorker({ pool: workers, bus, log, auditing: auditingOf(config, given.auditing) }),
    enforceRetention(workers, { log, rules: retentionOf(config) }),
    // Stopped before the workers, so that nothing more is taken while they finish.
    ...fulfillContracts(bus, {
      service: "payments",
      pools: pools.path,
      log,
      consumers,
      requests: eachMode((mode) => requestsOf(mode, { config, pools, bus, log, announce, epochs, ordering, batches })),
    }),
  ];
}

type Answering = Pick<Deps, "config" | "pools" | "bus" | "log"> & {
  announce: ReturnType<typeof createAnnouncements>;
  batches: ReturnType<typeof createBatchWorker>;
  epochs: Epochs;
  ordering: Omit<OrderDeps, "config" | "pool"> & {
    config: Deps["config"];
    standings: Standings;
    times: TransferTimes;
    worker: ReturnType<typeof createTransferWorker>;
  };
};

/** What payments answers in one mode. */
function requestsOf(
  mode: Mode,
  { config, pools, bus, log, announce, epochs, ordering, batches }: Answering,
): Request[] {
  const { workers } = pools;
  const { partners, standings, times, enquiryLimits, worker } = ordering;
  const [pool, lists] = [pools.requests[mode], pools.lists[mode]];
  const prisma = openPrisma(lists);
  const freeSlots = createFreeSlots({ config, pool, bus, announce });
  const createSession = createSessions({ config, pool, bus, announce, epochs, standings, freeSlots });
  const giveDetails = createGiveDetails({ config, pool, epochs, standings, announce, freeSlots });
  return [
    ...sessionListRequests({ config, prisma, lists }),
    ...sessionRequests({ config, pool, announce, epochs, createSession, giveDetails }),
    ...paymentLinkListRequests({ config, lists }),
    ...paymentLinkRequests({ config, pool, lists, standings, createSession }),
    ...paymentsByKey({ config, pool, lists, prisma, announce, epochs }),
    ...collectionsByKey({ prisma, lists, bus, epochs }),
    ...collectionRequests({ prisma, lists, bus }),
    ...attachmentRequests({ pool, lists, prisma, bus, log, announce, epochs }),
    ...payerRequests({ pool: lists }),
    ...searchRequests({ pool: lists }),
    ...checkoutSettingsRequests({ pool }),
    ...businessProfileRequests({ pool, lists }),
    ...auditRequests({ pool: workers }),
    ...bankRequests({ config, pool, partners, standings, enquiryLimits }),
    ...transferListRequests({ epochs, prisma, lists }),
    ...transferRequests({ ...ordering, epochs, pool }),
    ...transferBatchRequests({ ...ordering, epochs, pool, batches }),
    ...approvalRequests({ pool, epochs, worker }),
    ...beneficiaryRequests({ pool, epochs }),
    ...payoutRequests({ pool, times, worker }),
    ...payoutOfLineRequests({ pool: lists, bus, epochs }),
    ...returnedPayoutRequests({ pool, bus, worker, epochs }),
    ...unansweredPayoutRequests({ ...ordering, pool, lists, bus, log, epochs }),
    ...partnerRequests({ pool, lists, partners: partners.live, worker }),
    ...testClockRequests({ pool, announce, epochs, worker }),
    ...payeeRequests({ pool: workers, epochs }),
    ...erasureRequests({ pool: workers, bus, epochs }),
    ...inboundRecoveryRequests({ pool: workers, epochs }),
    ...outboundRecoveryRequests({ pool: workers, epochs }),
    ...eventRecoveryRequests({ pool: workers, epochs }),
    ...epochs.requests,
  ];
}

const timesOf = ({ TRANSFER_UNKNOWN_AFTER_S }: Deps["config"], given: Deps["transferTimes"]): TransferTimes => ({
  ...{ ...TRANSFER_TIMES, unknownAfterMs: TRANSFER_UNKNOWN_AFTER_S * 1_000 },
  ...given,
});

function auditingOf({ AUDIT_EVERY_MS: everyMs = AUDITING.everyMs }: Deps["config"], given: Deps["auditing"]): Auditing {
  return { ...AUDITING, everyMs, ...given };
}

/** How long the lines of a file are shown. Its transfers stay, and the same lines uploaded later are found to be paid. */
const FILE_DAYS = 90;

/** How long it is known who looked up which account, and who did not pay. */
const retentionOf = ({ ENQUIRY_LOG_DAYS = 365, UNPAID_PAYER_DAYS = 90 }: Deps["config"]): Retention[] => [
  { name: "name enquiries", days: ENQUIRY_LOG_DAYS, remove: deleteEnquiries },
  { name: "files of transfers", days: FILE_DAYS, remove: deleteOldBatches },
  { name: "payers of expired sessions", days: UNPAID_PAYER_DAYS, remove: forgetUnpaidPayers },
];
