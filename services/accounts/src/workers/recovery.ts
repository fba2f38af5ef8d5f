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

const MINUTE_MS = 60_000;
/** As payments returns them: an intake has at most 1 kB. */
const INTAKES_PAGE = 300;

/**
 * How accounts catches up after a restore: no pooled account is given out that may have been; it restores its accounts, transfers and
 * reversals from payments. Transfers in flight at that time are restored when their events are recorded. Erasures are repeated: the
 * backup contains what they erased.
 */
export function createRecover({ pool, bus }: { pool: Pool; bus: Bus }): Recover {
  return async ({ restoredTo, noticedAt }, progress) => {
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
    // What was in suspense at that time may have been allocated since: it was received before.
    const suspended = { before: restoredTo, limit: INTAKES_PAGE };
    for await (const intakeIds of pages((after) => suspendedBefore(pool, { ...suspended, after }))) {
      await restoreIntakes(pool, await bus.request(readIntakes, { intake_ids: intakeIds }));
      await progress.step("transfers");
    }
    await progress.step("reversals");
    // Those in flight are parts of their credits, too. The ledger publishes before it acknowledges: what it reads is empty first.
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
  };
}

const restoreIntakes = (pool: Pool, { intakes }: Pick<WireResult<typeof listIntakes>, "intakes">) =>
  transaction(pool, (tx) =>
    restoreTransfers(
      tx,
      intakes.map((intake) => collectionPosted.data.parse(intake)),
    ),
  );
