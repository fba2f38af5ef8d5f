import { type Logger, withBackOff } from "@collect/runtime";
import { JetStreamApiError } from "@nats-io/jetstream";
import { PermissionViolationError, RequestError, TimeoutError } from "nats";

/** The longest pause between two attempts: money stands still for as long after a cluster has elected a leader. */
export const BROKER_BACK_OFF_MS = 500;

/**
 * Does the work once the broker can: its servers may not have started yet, or a cluster has not been formed or is electing a
 * leader. It says so each time. Any other error is thrown, unless it `passes`, and so is the last one when the signal
 * aborts.
 */
export async function onceAvailable<Result>(
  what: string,
  work: () => Promise<Result>,
  { log, signal = NEVER, passes }: { log: Logger; signal?: AbortSignal; passes?: (error: unknown) => boolean },
): Promise<Result> {
  let last: unknown;
  const outcome = await withBackOff(
    () =>
      work().then(
        (value) => ({ value }),
        (error: unknown) => {
          last = error;
          if (isUnavailable(error) || passes?.(error)) throw error;
          return undefined;
        },
      ),
    {
      signal,
      longestMs: BROKER_BACK_OFF_MS,
      onFailure: (error, waitMs) =>
        log.warn({ waits_for: what, err: error, waitMs }, "the message broker is not ready yet"),
    },
  );
  if (!outcome) throw last;
  return outcome.value;
}

const NEVER = new AbortController().signal;

/** What systems say of a server that has not started, or whose name is not known yet. */
const UNREACHABLE = new Set(["ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EHOSTUNREACH", "ENOTFOUND", "EAI_AGAIN"]);
/** What a server says of its cluster: incomplete, too few servers, no leader. */
const NO_LEADER = new Set([10004, 10005, 10007, 10008, 10009]);

function isUnavailable(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return NO_LEADER.has(error.code);
  if (error instanceof TimeoutError) return true;
  if (error instanceof RequestError) return !(error.cause instanceof PermissionViolationError);
  if (!(error instanceof Error)) return false;
  return ("code" in error && UNREACHABLE.has(String(error.code))) || isUnavailable(error.cause);
}
