import { answer, type Epochs, type Request } from "@collect/bus";
import { type Mode, moveTestClock, Problem } from "@collect/contracts";
import { moveTestClock as moveCopy, type Pool, transaction } from "@collect/database";
import type { Announce } from "../inbound/adapters/announcements.ts";
import { dueSessionsOf, expireSessions, nextExpiryOf, releaseSlotsOf } from "../inbound/store/due-sessions.ts";
import { releaseDue, waitingTransfers } from "../outbound/store/transfers-of-clock.ts";

/** The sessions that one call expires, and the slots that it releases; the next call continues. */
const SESSIONS_MAX = 500;

type Deps = { pool: Pool; announce: Announce; epochs: Pick<Epochs, "assertCurrent">; worker: TransferQueues };
/** The worker that advances transfers: a transfer of this mode is due now, or one that has ended is to be asked about again. */
type TransferQueues = { wake(mode: Mode): void; wakeFollowUps(mode: Mode): void };

/** The copy of a merchant's test clock, and what is due by it: sessions end, slots become free, transfers go on. */
export function testClockRequests({ pool, announce, epochs, worker }: Deps): Request[] {
  /** Sessions whose time is over, and slots whose watch window is: a page of each. Returns whether there may be more. */
  async function endSessions(merchantId: string, at: string): Promise<boolean> {
    const page = { at, limit: SESSIONS_MAX };
    const [due, slots] = await Promise.all([
      dueSessionsOf(pool, merchantId, page),
      releaseSlotsOf(pool, merchantId, page),
    ]);
    const expired = due.length > 0 ? await expireSessions(pool, due) : [];
    announce(expired);
    // One that another transaction had locked is left for the next call.
    return expired.length < due.length || due.length === SESSIONS_MAX || slots === SESSIONS_MAX;
  }

  return [
    answer(moveTestClock.payments, async ({ merchant, to }) => {
      if (merchant.mode !== "test") throw new Problem("test_key_required", "Live mode has no clock of its own.");
      // A collection that this database has lost may have been received in time.
      epochs.assertCurrent();
      const { clock, released } = await transaction(pool, async (tx) => {
        const clock = await moveCopy(tx, merchant.id, to);
        return { clock, released: await releaseDue(tx, merchant.id, { from: clock.from, to: clock.now }) };
      });
      if (released > 0) {
        worker.wake("test");
        worker.wakeFollowUps("test");
      }
      const [hasMore, transfers, expiry] = await Promise.all([
        endSessions(merchant.id, clock.now),
        waitingTransfers(pool, merchant.id, clock.now),
        nextExpiryOf(pool, merchant.id, clock.now),
      ]);
      const times = [expiry, transfers.nextAt].filter((time) => time !== null);
      return { at: clock.at, is_busy: hasMore || transfers.isBusy, next_at: earliest(times) };
    }),
  ];
}

const earliest = (times: string[]) => times.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;
