import type { getIncomingHealth, Result } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { stateOfAccounts, stateOfIncoming } from "../domain/partner-health.ts";
import { type IssuingPartner, ownBankIn, type Partners } from "../domain/partners.ts";
import { readLastTransfers, readOrderedAccounts, readUnfinishedOfBanks } from "../store/partner-health.ts";

type Health = Result<typeof getIncomingHealth>;

/** What each partner of the configuration reported and issued last. */
export async function readPartnerHealth(pool: Pool, { all, standard, own }: Partners): Promise<Health> {
  const partners = all.map(({ id }) => id);
  const [newest, unfinished, ordered] = await Promise.all([
    readLastTransfers(pool, partners),
    readUnfinishedOfBanks(pool),
    readOrderedAccounts(pool, { partners, standard: standard.id, own: ownBankIn("live", own) }),
  ]);
  const healthOf = ({ id, name }: IssuingPartner): Omit<Health, "others"> => {
    const accounts = ordered.find(({ partner }) => partner === id);
    if (!accounts) throw new Error(`the accounts of ${id} were not counted`);
    const { now, issued, lastIssuedAt, pending, oldestPendingAt } = accounts;
    const row = newest.find(({ bank }) => bank === id);
    const last = row ? { paid_at: row.paid_at, received_at: row.received_at } : null;
    const { count = 0, oldest_received_at = null } = unfinished.find(({ bank }) => bank === id) ?? {};
    return {
      bank: { code: id, name },
      transfers: { state: stateOfIncoming(last, now), last, unfinished: { count, oldest_received_at } },
      accounts: {
        state: stateOfAccounts({ issued, oldestPendingAt }, now),
        ...{ issued, pending: { count: pending, oldest_created_at: oldestPendingAt }, last_issued_at: lastIssuedAt },
      },
    };
  };
  return { ...healthOf(standard), others: all.filter(({ id }) => id !== standard.id).map(healthOf) };
}
