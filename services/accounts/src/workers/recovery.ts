import { type Bus, pages, type Recover, untilConsumed } from "@collect/bus";
import {
  collectionPosted,
  instantOf,
  listAccountCopies,
  listErasureCopies,
  listIntakes,
  listReversals,
  readIntakes,
  reversalPosted,
  transferReceived,
  transferReversed,
  unallocatedReversed,
  type WireResult,
} from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { restoreAccounts } from "../store/account-copies.ts";
import { orderErasures } from "../store/erasures.ts";
import { setFreePooledAside } from "../store/pooled-accounts.ts";
import { restoreTransfers, suspendedBefore } from "../store/recovery.ts";
import { restoreReversals } from "../store/reversal-recovery.ts";
import { recoverOffers, restoreOfferedSessions } from "./offer-recovery.ts";

const MINUTE_MS = 60_000;
/** As payments returns them: an intake has at most 1 kB. */
const INTAKES_PAGE = 300;

type Deps = { pool: Pool; bus: Bus; intakeKey: string };
type Place = { at: string; key: string };

/**
 * How accounts catches up after a restore: no pooled account is given out that may have been; it restores its accounts, transfers and
 * reversals from payments, and the offers of lines from statements. Transfers in flight at that time are restored when their events are
 * recorded. Erasures are repeated: the backup contains what they erased.
 */
export function createRecover(deps: Deps): Recover {
  const { pool, bus } = deps;
  return async ({ restoredTo, noticedAt }, progress) => {
    // First, since a session that was offered may be reported at any time, and awaited last: no money waits for statements.
    const offered = restoreOfferedSessions(deps);
    offered.catch(() => {});
    await setFreePooledAside(pool);
    await progress.step("accounts");
    for await (const accounts of pages((after) => bus.request(listAccountCopies, { since: restoredTo, after })))
      await restoreAccounts(pool, accounts);
    await progress.step("transfers");
    const end = Date.parse(noticedAt) + MINUTE_MS;
    for (let at = Date.parse(restoredTo); at < end; at += MINUTE_MS) {
      const span = { from: instantOf(new Date(at)), to: instantOf(new Date(at + MINUTE_MS)) };
      for (let after: string | null = ""; after !== null; ) {
        const page: WireResult<typeof listIntakes> = await bus.request(listIntakes, { ...span, after });
        await restoreIntakes(pool, page);
        after = page.next;
        await progress.step("transfers");
      }
    }
    await recoverSuspense(deps, restoredTo, progress);
    await progress.step("reversals");
    // Those in flight are parts of their credits, too. The ledger publishes before it acknowledges: what it reads is consumed first.
    await untilConsumed(bus, [transferReversed, unallocatedReversed], progress);
    await untilConsumed(bus, [reversalPosted], progress);
    for await (const reversals of pages((after) => bus.request(listReversals, { since: restoredTo, after })))
      await restoreReversals(
        pool,
        reversals.map((reversal) => transferReversed.data.parse(reversal)),
      );
    await progress.step("erasures");
    for await (const erasures of pages((after) => bus.request(listErasureCopies, { since: restoredTo, after })))
      await orderErasures(pool, erasures);
    await progress.step("offers");
    await offered;
    await recoverOffers(deps, progress);
  };
}

/**
 * What was in suspense at that time may have been allocated since: it was received before. Payments has stored those allocations that were in
 * flight before it is asked, so that none of this money is allocated to another merchant.
 */
async function recoverSuspense({ pool, bus }: Deps, before: string, progress: Parameters<Recover>[1]): Promise<void> {
  const suspended = (after: Place | null, limit = INTAKES_PAGE) => suspendedBefore(pool, { before, after, limit });
  if ((await suspended(null, 1)).rows.length === 0) return;
  await untilConsumed(bus, [transferReceived], progress);
  await untilConsumed(bus, [collectionPosted], progress);
  for await (const intakeIds of pages(suspended)) {
    await restoreIntakes(pool, await bus.request(readIntakes, { intake_ids: intakeIds }));
    await progress.step("transfers");
  }
}

const restoreIntakes = (pool: Pool, { intakes }: Pick<WireResult<typeof listIntakes>, "intakes">) =>
  transaction(pool, (tx) =>
    restoreTransfers(
      tx,
      intakes.map((intake) => collectionPosted.data.parse(intake)),
    ),
  );
