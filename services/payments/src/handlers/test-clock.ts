import { answer, type Request } from "@collect/bus";
import { instantOf, moveTestClock, Problem } from "@collect/contracts";
import { moveTestClock as moveCopy, type Pool, readTimeOf, transaction } from "@collect/database";
import type { Announce } from "../inbound/adapters/announcements.ts";
import { dueSessionsOf, expireSessions, nextExpiryOf, releaseSlotsOf } from "../inbound/store/due-sessions.ts";
import { releaseDue, waitingTransfers } from "../outbound/store/transfers-of-clock.ts";
import type { TransferWorker } from "../outbound/workers/transfers.ts";

/** The sessions that one call expires, and the slots that it releases; the next call continues. */
const SESSIONS_MAX = 500;

type Deps = { pool: Pool; announce: Announce; worker: Pick<TransferWorker, "wake" | "wakeFollowUps"> };

/** The copy of a merchant's test clock, and what is due by it: sessions end, slots become free, transfers go on. */
export function testClockRequests({ pool, announce, worker }: Deps): Request[] {
  return [
    answer(moveTestClock.payments, async ({ merchant, to }) => {
      if (merchant.mode !== "test") throw new Problem("test_key_required", "Live mode has no clock of its own.");
      const { copy, at, released } = await transaction(pool, async (tx) => {
        const from = instantOf(await readTimeOf(tx, merchant));
        const copy = await moveCopy(tx, merchant.id, to);
        const now = instantOf(await readTimeOf(tx, merchant));
        return { copy, at: now, released: await releaseDue(tx, merchant.id, { from, to: now }) };
      });
      if (released > 0) {
        worker.wake("test");
        worker.wakeFollowUps("test");
      }
      const page = { at, limit: SESSIONS_MAX };
      const due = await dueSessionsOf(pool, merchant.id, page);
      if (due.length > 0) announce(await expireSessions(pool, due));
      const slots = await releaseSlotsOf(pool, merchant.id, page);
      const hasMore = due.length === SESSIONS_MAX || slots === SESSIONS_MAX;
      const transfers = await waitingTransfers(pool, merchant.id, at);
      const times = [await nextExpiryOf(pool, merchant.id, at), transfers.nextAt].filter((time) => time !== null);
      return { at: copy, is_busy: hasMore || transfers.isBusy, next_at: earliest(times) };
    }),
  ];
}

const earliest = (times: string[]) => times.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;
