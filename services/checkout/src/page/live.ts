import { Problem, type SessionSnapshot } from "@collect/contracts";
import type { Component } from "@collect/runtime";
import type { RequestHandler, Response } from "express";
import { isFollowed } from "../domain/view.ts";
import type { Watch, Watches } from "../domain/watch.ts";
import type { Sessions } from "../use-cases/sessions.ts";
import { renderSessionCard } from "./session-page.ts";

/**
 * A replica stays small enough to share the load; a merchant whose pages many look at leaves four fifths of it to the others, and
 * one payment leaves room for the merchant's others.
 */
export const STREAMS = { processMax: 5_000, merchantMax: 1_000, referenceMax: 50, aliveEveryMs: 20_000 };
export type StreamLimits = typeof STREAMS;

/** Who is turned away polls meanwhile. */
const RETRY_AFTER_S = 60;
/** What nobody takes off the line any more: a card is about 4 kB. */
const UNSENT_BYTES_MAX = 65_536;

type Stream = { response: Response; shares: string[]; watch?: Watch };

/**
 * `GET /pay/{reference}/live`: server-sent events, each the card as the page itself would show it, under the session's version as
 * its id. A page says which version it shows, and one that comes back which it was sent last, so nothing is missed in between.
 */
export function createLive(deps: { sessions: Sessions; watching: Watches; limits?: StreamLimits }) {
  const { sessions, watching, limits = STREAMS } = deps;
  const streams = new Set<Stream>();
  /** How many streams each merchant, and each reference, has open. */
  const taken = new Map<string, number>();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  /** The shares that a stream of the session has a place of. */
  function take({ reference, merchant }: SessionSnapshot): string[] {
    const of = (share: string) => taken.get(share) ?? 0;
    const isFull =
      streams.size >= limits.processMax ||
      of(merchant.id) >= limits.merchantMax ||
      of(reference) >= limits.referenceMax;
    if (isStopped || isFull)
      throw new Problem("service_unavailable", "Too many pages are open. Poll the session instead.", {
        retryAfterS: RETRY_AFTER_S,
      });
    const shares = [merchant.id, reference];
    for (const share of shares) taken.set(share, of(share) + 1);
    return shares;
  }

  function release(stream: Stream): void {
    stream.watch?.end();
    streams.delete(stream);
    for (const share of stream.shares) {
      const left = (taken.get(share) ?? 1) - 1;
      if (left > 0) taken.set(share, left);
      else taken.delete(share);
    }
  }

  const open: RequestHandler = async (request, response) => {
    const reference = String(request.params.reference);
    const session = await sessions.find(reference);
    response.locals.merchantId = session.merchant.id;
    response.locals.mode = session.merchant.mode;
    const shown = Number(request.get("last-event-id") ?? request.query.version);
    // Nothing will come any more, so the page need not come back.
    if (request.method === "HEAD" || (session.version <= shown && !isFollowed(session, new Date()))) {
      response.status(204).end();
      return;
    }
    if (response.closed) return;
    const stream: Stream = { response, shares: take(session) };
    streams.add(stream);
    response.once("close", () => release(stream));
    begin(response);
    const send = (session: SessionSnapshot) => sendCard(response, session);
    stream.watch = watching.watch(session, send);
    const { latest } = stream.watch;
    if (!(latest.version <= shown)) send(latest);
  };

  function keepAlive(): void {
    const now = new Date();
    for (const { response, watch } of streams) {
      if (response.writableEnded) continue;
      if (response.writableLength > UNSENT_BYTES_MAX) response.destroy();
      else if (watch && !isFollowed(watch.latest, now)) response.end();
      else response.write(ALIVE);
    }
  }

  const part: Component = {
    name: "streams",
    start: async () => {
      timer = setInterval(keepAlive, limits.aliveEveryMs);
    },
    /** Before the server is: it would wait for them. Pages come back, to whichever replica is there. */
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      for (const { response } of streams) response.end();
    },
  };
  return { open, part };
}

/** An event and not a comment, so that a page can tell a stream that is quiet from one that is dead. */
const ALIVE = "event: alive\ndata:\n\n";

function begin(response: Response): void {
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store, no-transform",
    // A proxy that gathers answers would keep the news to itself.
    "X-Accel-Buffering": "no",
    // So that the connection goes when the stream ends, and no server waits for it.
    Connection: "close",
  });
  // Pages that lost a replica come back over five seconds, not all at once.
  response.write(`retry: ${2_000 + Math.floor(Math.random() * 5_000)}\n\n`);
}

function sendCard(response: Response, session: SessionSnapshot): void {
  if (response.writableEnded) return;
  const now = new Date();
  const lines = renderSessionCard(session, now).split(/\r\n|\r|\n/);
  response.write(`id: ${session.version}\nevent: card\n${lines.map((line) => `data: ${line}\n`).join("")}\n`);
  if (!isFollowed(session, now)) response.end();
}
