import type { SessionSnapshot } from "@collect/contracts";

/** A copy of a session, and when payments last sent or confirmed it. */
export type Copy = { snapshot: SessionSnapshot; refreshedAt: string };

/** An event can be lost with the message store; reading a copy older than this requests a refresh. */
export const STALE_AFTER_MS = 30_000;
/**
 * How much later a transfer that was received in time may be matched: accounts re-drives unfinished intakes at most an
 * hour apart.
 */
const LATE_FACTS_MS = 3_600_000;

/**
 * Whether the copy may have missed a change: it is old, or it is from before this process began to listen, or from
 * before the broker was lost.
 */
export function isStale(copy: Copy, { now, listeningSince }: { now: Date; listeningSince: Date }): boolean {
  const refreshedAt = Date.parse(copy.refreshedAt);
  const mayBeOld = refreshedAt < listeningSince.getTime() || now.getTime() - refreshedAt > STALE_AFTER_MS;
  return mayBeOld && !isFinal(copy);
}

/**
 * Whether the session can no longer change, and payments confirmed it after the last time at which it could: a copy
 * from before the end of the watch window says nothing about the rest of the window.
 */
export function isFinal({ snapshot, refreshedAt }: Copy): boolean {
  return !isOpen(snapshot) && Date.parse(refreshedAt) > Date.parse(snapshot.watchUntil) + LATE_FACTS_MS;
}

/** The session is unpaid and has not expired. */
export function isOpen({ status }: SessionSnapshot): boolean {
  return status === "pending" || status === "processing";
}
