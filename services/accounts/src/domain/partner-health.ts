import type { PartnerState } from "@collect/contracts";

const MINUTE_MS = 60_000;
/** Without a transfer for longer than this the bank is quiet. */
const QUIET_AFTER_MS = 60 * MINUTE_MS;
/** A transfer is reported within seconds, and an account issued at once. */
const LATE_AFTER_MS = 10 * MINUTE_MS;

type Last = { paid_at: string; received_at: string } | null;

/** Quiet: none was received in the last hour. Failing: the last one was received more than ten minutes after it was paid. */
export function stateOfIncoming(last: Last, now: string): PartnerState {
  if (!last || since(last.received_at, now) > QUIET_AFTER_MS) return "quiet";
  return since(last.paid_at, last.received_at) > LATE_AFTER_MS ? "failing" : "ok";
}

/** Quiet: none was ordered in the last day. Failing: one has had no number for more than ten minutes. */
export function stateOfAccounts(
  { issued, oldestPendingAt }: { issued: number; oldestPendingAt: string | null },
  now: string,
): PartnerState {
  if (oldestPendingAt) return since(oldestPendingAt, now) > LATE_AFTER_MS ? "failing" : "ok";
  return issued === 0 ? "quiet" : "ok";
}

const since = (from: string, to: string) => Date.parse(to) - Date.parse(from);
