import { setTimeout as sleep } from "node:timers/promises";
import type { Event, EventList } from "../generated/schemas.ts";
import { CollectError } from "./errors.ts";
import type { ApiPromise, RateLimit } from "./response.ts";
import { isTemporary } from "./retry.ts";

export type FollowOptions = {
  /** The `sequence` of the last event that you have handled. 0, the default, begins with the first one of the log. */
  after_sequence?: number;
  /** Ends the iteration. */
  signal?: AbortSignal;
};

type Query = { after_sequence: number; limit: number; wait: number };
type Read = (query: Query, options: { signal: AbortSignal | undefined }) => ApiPromise<EventList>;

/** The longest that the API holds a response: 72 calls an hour while nothing happens. */
const WAIT_S = 50;
const PAGE = 100;
/** After a failure, and before an event that is missing is looked for again. */
const PAUSES = { firstMs: 500, longestMs: 60_000 };
const SEARCHES = 2;

/**
 * The event log in order, from a number on, without an end. A temporary failure is waited out, however long it lasts; another one
 * is thrown. A number that is missing in the log is thrown as `event_gap`.
 */
export async function* followEvents(
  read: Read,
  { after_sequence: after = 0, signal }: FollowOptions,
): AsyncGenerator<Event, void, undefined> {
  let last = after;
  // First the last event that was handled is read once more: a log that ends before it is not the one that it came from.
  let isSameLog = after === 0;
  let searches = 0;
  try {
    for (;;) {
      const query = isSameLog ? { after_sequence: last, wait: WAIT_S } : { after_sequence: after - 1, wait: 0 };
      const page = await persistently(read, { ...query, limit: PAGE }, signal);
      isSameLog ||= page.data.length > 0;
      const unread = page.data.filter(({ sequence }) => sequence > last);
      for (const event of unread) {
        if (signal?.aborted) return;
        if (event.sequence !== last + 1) break;
        yield event;
        last = event.sequence;
        searches = 0;
      }
      const isComplete = isSameLog && (unread.at(-1)?.sequence ?? last) === last;
      if (!isComplete && ++searches > SEARCHES) throw isSameLog ? gap(last, unread) : otherLog(after);
      await pause(isComplete ? page.restMs : pauseMs(searches), signal);
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

/** A page, and how long to rest before the next call. */
async function persistently(read: Read, query: Query, signal: AbortSignal | undefined) {
  for (let failures = 1; ; failures++) {
    try {
      const began = performance.now();
      const { data, response } = await read(query, { signal }).withResponse();
      return { data: data.data, restMs: restMs(response.rateLimit) - (performance.now() - began) };
    } catch (error) {
      if (!(error instanceof CollectError) || !(isTemporary(error) || Number(error.status) >= 500)) throw error;
      await pause(Math.max((error.retryAfter ?? 0) * 1_000, pauseMs(failures)), signal);
    }
  }
}

/** Once half of the reads are used, calls are so far apart that they use the other half only if others need it. */
function restMs(budget: RateLimit | null): number {
  if (!budget || budget.remaining * 2 > budget.limit) return 0;
  return (budget.windowS * 1_000) / (budget.limit / 2);
}

function pauseMs(tries: number): number {
  return Math.min(PAUSES.firstMs * 2 ** (tries - 1), PAUSES.longestMs) * (0.5 + Math.random() / 2);
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal });
}

function gap(last: number, [next]: Event[]): CollectError {
  const missing = (next?.sequence ?? last) - 1;
  return eventGap(
    `The log has no events ${last + 1} to ${missing}. Read the collections and transfers of that time, then follow with after_sequence ${missing}.`,
  );
}

const otherLog = (after: number) =>
  eventGap(`The log ends before event ${after}. Is this the key of the merchant and mode that it came from?`);

const eventGap = (detail: string) => new CollectError({ status: null, code: "event_gap", detail });
