import { Problem, type SessionSnapshot } from "@collect/contracts";
import type { Component } from "@collect/runtime";
import type { RequestHandler, Response } from "express";
import { mayChange } from "../domain/view.ts";
import type { Watch, WatchSource } from "../domain/watch.ts";
import type { Sessions } from "../use-cases/sessions.ts";
import { renderSessionCard } from "./session-page.ts";

/**
 * Limits of open streams. A replica accepts a number small enough that replicas share the load; one merchant can use
 * at most a fifth of it, and one session at most a twentieth of its merchant's share.
 */
export const STREAMS = { processMax: 5_000, merchantMax: 1_000, referenceMax: 50, aliveEveryMs: 20_000 };
export type StreamLimits = typeof STREAMS;

/** A page that is turned away polls in the meantime. */
const RETRY_AFTER_S = 60;
/** A client with more unsent bytes is considered gone: a card is about 4 kB. */
const UNSENT_BYTES_MAX = 65_536;

type Stream = { response: Response; keys: string[]; watch?: Watch };

/**
 * `GET /pay/{reference}/live`: server-sent events, each the card as the page would render it, with the session's
 * version as its id. A page sends the version it shows, and a reconnecting one the last id it received, so that no
 * change is missed.
 */
export function createLive(deps: { sessions: Sessions; watcher: WatchSource; limits?: StreamLimits }) {
  const { sessions, watcher, limits = STREAMS } = deps;
  const streams = new Set<Stream>();
  /** The number of open streams by merchant and by reference. */
  const streamCounts = new Map<string, number>();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  /** Counts a stream of the session against its merchant and its reference. */
  function acquire({ reference, merchant }: SessionSnapshot): string[] {
    const of = (key: string) => streamCounts.get(key) ?? 0;
    const isFull =
      streams.size >= limits.processMax ||
      of(merchant.id) >= limits.merchantMax ||
      of(reference) >= limits.referenceMax;
    if (isStopped || isFull)
      throw new Problem("service_unavailable", "Too many pages are open. Poll the session instead.", {
        retryAfterS: RETRY_AFTER_S,
      });
    const keys = [merchant.id, reference];
    for (const key of keys) streamCounts.set(key, of(key) + 1);
    return keys;
  }

  function release(stream: Stream): void {
    stream.watch?.end();
    streams.delete(stream);
    for (const key of stream.keys) {
      const remaining = (streamCounts.get(key) ?? 1) - 1;
      if (remaining > 0) streamCounts.set(key, remaining);
      else streamCounts.delete(key);
    }
  }

  const open: RequestHandler = async (request, response) => {
    const reference = String(request.params.reference);
    const session = await sessions.find(reference);
    response.locals.merchantId = session.merchant.id;
    response.locals.mode = session.merchant.mode;
    const shownVersion = Number(request.get("last-event-id") ?? request.query.version);
    // No further change is possible, so the page must not reconnect.
    if (request.method === "HEAD" || (session.version <= shownVersion && !mayChange(session, new Date()))) {
      response.status(204).end();
      return;
    }
    if (response.closed) return;
    const stream: Stream = { response, keys: acquire(session) };
    streams.add(stream);
    response.once("close", () => release(stream));
    begin(response);
    const send = (session: SessionSnapshot) => sendCard(response, session);
    stream.watch = watcher.watch(session, send);
    const { latest } = stream.watch;
    if (!(latest.version <= shownVersion)) send(latest);
  };

  function keepAlive(): void {
    const now = new Date();
    for (const { response, watch } of streams) {
      if (response.writableEnded) continue;
      if (response.writableLength > UNSENT_BYTES_MAX) response.destroy();
      else if (watch && !mayChange(watch.latest, now)) response.end();
      else response.write(ALIVE);
    }
  }

  const component: Component = {
    name: "streams",
    start: async () => {
      timer = setInterval(keepAlive, limits.aliveEveryMs);
    },
    /** Runs before the server stops, which would wait for the streams. Pages reconnect to another replica. */
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      for (const { response } of streams) response.end();
    },
  };
  return { open, component };
}

/** An event and not a comment, so that a page can distinguish an idle stream from a dead one. */
const ALIVE = "event: alive\ndata:\n\n";

function begin(response: Response): void {
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store, no-transform",
    // Without this a buffering proxy would hold the events back.
    "X-Accel-Buffering": "no",
    // The connection closes with the stream, so that no server waits for it.
    Connection: "close",
  });
  // Pages that lost a replica reconnect over five seconds, not all at once.
  response.write(`retry: ${2_000 + Math.floor(Math.random() * 5_000)}\n\n`);
}

function sendCard(response: Response, session: SessionSnapshot): void {
  if (response.writableEnded) return;
  const now = new Date();
  const lines = renderSessionCard(session, now).split(/\r\n|\r|\n/);
  response.write(`id: ${session.version}\nevent: card\n${lines.map((line) => `data: ${line}\n`).join("")}\n`);
  if (!mayChange(session, now)) response.end();
}
