import type { Bus } from "@collect/bus";
import { listTransferBookings, readTransferBookings, type TransferBookings } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { type Difference, named, type PartName, type ProvenPage } from "../domain/audit-parts.ts";
import { proveRecentlyPaid, proveSessions } from "../inbound/store/session-proof.ts";
import { type ProvenTransfer, transferDifferences } from "../outbound/domain/outbound-proof.ts";
import { pageOfTransfers, readTransfers } from "../outbound/store/transfer-proof.ts";
import { claimPart, storePage, storeRecent } from "../store/audit-progress.ts";

export type Auditing = {
  /** How often each part runs, and for how long. */
  everyMs: number;
  workMs: number;
  /**
   * Sessions per page, recently paid sessions per run, and transfers per page (the page size of the ledger is the
   * same).
   */
  sessionsMax: number;
  recentlyPaidMax: number;
  transfersMax: number;
};

export const AUDITING: Auditing = {
  everyMs: 5_000,
  workMs: 250,
  sessionsMax: 2_000,
  recentlyPaidMax: 5_000,
  transfersMax: 500,
};

type Deps = { pool: Pool; bus: Bus; log: Logger; auditing: Auditing };

/**
 * Proves the data of payments one page at a time: sessions against their collections, transfers against the bookings
 * of the ledger, and the bookings against the transfers. Nothing is locked, and no transaction waits for the ledger.
 */
export function createAuditWorker(deps: Deps): Component {
  const { log, auditing } = deps;
  return interval({ name: "audit", everyMs: auditing.everyMs, log }, async (signal) => {
    // A part that fails because the ledger does not respond must not stop the others.
    const parts = Object.keys(PAGES) as PartName[];
    const results = await Promise.allSettled(parts.map((part) => prove(deps, part, signal)));
    const failed = results.find((result) => result.status === "rejected");
    if (failed) throw failed.reason;
  });
}

type PageOf = (deps: Deps, after: string) => Promise<ProvenPage & { isLast: boolean }>;
const PAGES: Record<PartName, PageOf> = {
  sessions: async ({ pool, auditing: { sessionsMax } }, after) => {
    const page = await proveSessions(pool, after, sessionsMax);
    return { ...page, isLast: page.proven < sessionsMax };
  },
  transfers: pageAgainstLedger,
  reserves: pageFromLedger,
};

async function prove(deps: Deps, part: PartName, signal: AbortSignal): Promise<void> {
  const { pool, log, auditing } = deps;
  const claimed = await claimPart(pool, part, auditing.everyMs / 2);
  if (!claimed) return;
  const endAt = performance.now() + auditing.workMs;
  if (part === "sessions") await proveRecentPage(deps);
  let { cursor } = claimed;
  let isLast = false;
  do {
    const page = await PAGES[part](deps, cursor);
    alarm(log, page.differences);
    await storePage(pool, part, { ...page, differences: named(page.differences) });
    ({ cursor, isLast } = page);
  } while (!isLast && performance.now() < endAt && !signal.aborted);
}

async function proveRecentPage({ pool, log, auditing }: Deps): Promise<void> {
  const differences = await proveRecentlyPaid(pool, auditing.recentlyPaidMax);
  alarm(log, differences);
  await storeRecent(pool, "sessions", named(differences));
}

async function pageAgainstLedger({ pool, bus, auditing: { transfersMax } }: Deps, after: string) {
  const page = await pageOfTransfers(pool, after, transfersMax);
  const references = page.map(({ reference }) => reference);
  const response = await bus.request(readTransferBookings, { transfer_ids: references });
  const ledger = byTransfer(readTransferBookings.output.parse(response).transfers);
  const before = new Map(page.map((transfer) => [transfer.reference, transfer]));
  const differences = await differencesOf(pool, { references, before, ledger });
  return { cursor: references.at(-1) ?? after, proven: page.length, differences, isLast: page.length < transfersMax };
}

async function pageFromLedger({ pool, bus }: Deps, after: string) {
  const { transfers } = listTransferBookings.output.parse(await bus.request(listTransferBookings, { after }));
  const references = transfers.map(({ transfer_id }) => transfer_id);
  const found = { references, before: new Map(), ledger: byTransfer(transfers) };
  const differences = await differencesOf(pool, found);
  const isLast = transfers.length === 0;
  return { cursor: references.at(-1) ?? after, proven: transfers.length, differences, isLast };
}

async function differencesOf(
  pool: Pool,
  given: {
    references: string[];
    before: Map<string, ProvenTransfer>;
    ledger: Map<string, TransferBookings>;
  },
): Promise<Difference[]> {
  const after = await readTransfers(pool, given.references);
  return given.references.flatMap((reference) => {
    const [before, ledger] = [given.before.get(reference), given.ledger.get(reference)];
    const found = transferDifferences({ before, ledger, after: after.get(reference) });
    const merchant = before?.merchantId ?? ledger?.merchant_id;
    return found.map((what) => ({ what, where: `transfer ${reference} of merchant ${merchant}` }));
  });
}

const byTransfer = (bookings: TransferBookings[]) => new Map(bookings.map((booking) => [booking.transfer_id, booking]));

function alarm(log: Logger, differences: Difference[]): void {
  if (differences.length > 0)
    log.error({ alarm: "payments_differs", differences: named(differences) }, "payments found differences");
}
