import type { SessionSnapshot } from "@collect/contracts";
import { addressOf } from "@collect/http";
import type { Component } from "@collect/runtime";
import type { RequestHandler, Response } from "express";
import type { BrandedSession } from "../domain/branding.ts";
import { mayChange } from "../domain/view.ts";
import type { Watch, WatchSource } from "../domain/watch.ts";
import type { Sessions } from "../use-cases/sessions.ts";
import { renderSessionCard } from "./session-page.ts";
import { createStreamSlots, STREAM_LIMITS } from "./stream-slots.ts";

export const STREAMS = { ...STREAM_LIMITS, aliveEveryMs: 20_000 };
export type LiveLimits = typeof STREAMS;

/** A client with more unsent bytes is considered gone: a card is about 4 kB. */
const UNSENT_BYTES_MAX = 65_536;

type Stream = { response: Response; watch?: Watch };

/**
 * `GET /pay/{reference}/live`: server-sent events, each the card as the page would render it, with the session's
 * version as its id. A page sends the version it shows, and a reconnecting one the last id it received, so that no
 * change is missed.
 */
export function createLive(deps: { sessions: Sessions; watcher: WatchSource; limits?: LiveLimits }) {
  const { sessions, watcher, limits = STREAMS } = deps;
  const streams = new Set<Stream>();
  const slots = createStreamSlots(limits);
  let timer: NodeJS.Timeout | undefined;

  const open: RequestHandler = async (request, response) => {
    const reference = String(request.params.reference);
    const session = await sessions.findBranded(reference);
    response.locals.merchantId = session.merchant.id;
    response.locals.mode = session.merchant.mode;
    const shownVersion = Number(request.get("last-event-id") ?? request.query.version);
    // No further change is possible, so the page must not reconnect.
    if (request.method === "HEAD" || (session.version <= shownVersion && !mayChange(session, new Date()))) {
      response.status(204).end();
      return;
    }
    if (response.closed) return;
    const stream: Stream = { response };
    const releaseSlot = slots.acquire(session, addressOf(request));
    streams.add(stream);
    response.once("close", () => {
      stream.watch?.end();
      streams.delete(stream);
      releaseSlot();
    });
    begin(response);
    const { branding } = session;
    const send = (changed: SessionSnapshot) => sendCard(response, { ...changed, branding });
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
      slots.close();
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

function sendCard(response: Response, session: BrandedSession): void {
  if (response.writableEnded) return;
  const now = new Date();
  const lines = renderSessionCard(session, now).split(/\r\n|\r|\n/);
  response.write(`id: ${session.version}\nevent: card\n${lines.map((line) => `data: ${line}\n`).join("")}\n`);
  if (!mayChange(session, now)) response.end();
}
