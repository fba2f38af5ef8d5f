import type { SessionSnapshot } from "@collect/contracts";

/** A copy of a session, and when payments last told or confirmed it. */
export type Copy = { snapshot: SessionSnapshot; refreshedAt: string };

/** An event can be lost with the message store; whoever looks at an old copy makes it be read again. */
export const STALE_AFTER_MS = 30_000;
/** Money that came in time may be matched this much later: accounts repeats what is unfinished an hour apart at most. */
const LATE_FACTS_MS = 3_600_000;

/**
 * Whether the copy may have been overtaken by something nobody told us of: it is old, or it was made before we began to listen,
 * or before the broker was lost.
 */
export function isStale(copy: Copy, { now, listeningSince }: { now: Date; listeningSince: Date }): boolean {
  const told = Date.parse(copy.refreshedAt);
  const mayBeOld = told < listeningSince.getTime() || now.getTime() - told > STALE_AFTER_MS;
  return mayBeOld && !isFinal(copy);
}

/**
 * Nothing changes the session any more, and payments said so after the last moment at which something could have: a copy that was made
 * before its watch window closed says nothing of what came in the rest of it.
 */
export function isFinal({ snapshot, refreshedAt }: Copy): boolean {
  return !isOpen(snapshot) && Date.parse(refreshedAt) > Date.parse(snapshot.watchUntil) + LATE_FACTS_MS;
}

/** Money is awaited, and time runs. */
export function isOpen({ status }: SessionSnapshot): boolean {
  return status === "pending" || status === "processing";
}
