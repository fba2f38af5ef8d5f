import type { Bus } from "@collect/bus";
import {
  collectionRecorded,
  type FactEvent,
  MerchantScope,
  Problem,
  sessionChanged,
  transferRecorded,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type HttpApp, onlyMethods } from "@collect/http";
import type { Component, Logger } from "@collect/runtime";
import type { Response } from "express";
import { z } from "zod";
import { KINDS, type Kind, toldAgain } from "../domain/live-updates.ts";
import { findStillAllowed } from "../store/sessions.ts";
import { memberOf, SCOPE } from "./merchant-routes.ts";
import type { Sessions } from "./sessions.ts";

/** Pages that one process keeps up to date, that one session has open, and one user in all their sessions. */
const STREAMS_MAX = 2_000;
const STREAMS_PER_SESSION_MAX = 12;
const STREAMS_PER_USER_MAX = 24;
/** Half a second of quiet before a page is told, so that what happens together is told together… */
const TELL_AFTER_MS = 500;
/** …and at most one message in a second. */
const TELL_EVERY_MS = 1_000;
const COMMENT_EVERY_MS = 20_000;
const CHECK_EVERY_MS = 60_000;
/** A client that takes nothing is cut off; it connects again and reads what it missed. */
const UNSENT_BYTES_MAX = 64 * 1024;

type Stream = { token: string; userId: string; merchantId: string; response: Response };
type Scope = { streams: Set<Stream>; pending: Set<Kind>; timer: NodeJS.Timeout | undefined; toldAt: number };

const AboutMerchant = z.looseObject({ merchant: MerchantScope });

export type Live = { route: (app: HttpApp) => void; component: Component };

/** Wakes the open pages of a merchant and mode when something of theirs has happened. What it was they read for themselves. */
export function createLive(deps: {
  bus: Bus;
  pool: Pool;
  sessions: Sessions;
  log: Logger;
  everyMs?: { comment: number; check: number };
}): Live {
  const { bus, pool, sessions, log, everyMs = { comment: COMMENT_EVERY_MS, check: CHECK_EVERY_MS } } = deps;
  const scopes = new Map<string, Scope>();
  const streams = new Set<Stream>();
  const timers: NodeJS.Timeout[] = [];
  let stopped = false;

  function wake(event: FactEvent, ...kinds: Kind[]): void {
    const onFacts = (facts: unknown[]) => {
      for (const fact of facts) {
        const about = AboutMerchant.safeParse(fact);
        const scope = about.success && scopes.get(keyOf(about.data.merchant));
        if (scope) note(scope, kinds);
      }
    };
    bus.listen(event, onFacts, () => scopes.size > 0);
  }

  function note(scope: Scope, kinds: readonly Kind[]): void {
    for (const kind of kinds) scope.pending.add(kind);
    const wait = Math.max(TELL_AFTER_MS, scope.toldAt + TELL_EVERY_MS - performance.now());
    if (scope.pending.size > 0) scope.timer ??= setTimeout(() => tell(scope), wait);
  }

  function tell(scope: Scope): void {
    const told = new Set(scope.pending);
    Object.assign(scope, { pending: new Set(), timer: undefined, toldAt: performance.now() });
    const what = KINDS.filter((kind) => told.has(kind));
    for (const stream of scope.streams) write(stream, `event: changed\ndata: ${JSON.stringify({ what })}\n\n`);
    note(scope, toldAgain(told));
  }

  function write({ response }: Stream, text: string): void {
    if (response.writableLength > UNSENT_BYTES_MAX) response.destroy();
    else response.write(text);
  }

  function add(key: string, stream: Stream): void {
    const scope = scopes.get(key) ?? { streams: new Set(), pending: new Set(), timer: undefined, toldAt: 0 };
    scopes.set(key, scope);
    scope.streams.add(stream);
    streams.add(stream);
    stream.response.once("close", () => {
      streams.delete(stream);
      scope.streams.delete(stream);
      if (scope.streams.size > 0) return;
      clearTimeout(scope.timer);
      scopes.delete(key);
    });
  }

  /** A person who was signed out or removed meanwhile is told nothing more. */
  async function endWhatIsOver(): Promise<void> {
    const open = [...streams];
    const allowed = await findStillAllowed(pool, open);
    for (const [index, { response }] of open.entries()) if (!allowed.has(index)) response.end();
  }

  return {
    route(app) {
      app.get(`${SCOPE}/live`, async (request, response) => {
        const { token, user_id: userId, merchant } = await memberOf(request, response, { role: "viewer", sessions });
        const ofUser = [...streams].filter((stream) => stream.userId === userId);
        const ofSession = ofUser.filter((stream) => stream.token === token);
        if (ofSession.length >= STREAMS_PER_SESSION_MAX || ofUser.length >= STREAMS_PER_USER_MAX)
          throw new Problem("rate_limited", "Too many pages are open.");
        if (stopped || streams.size >= STREAMS_MAX)
          throw new Problem("service_unavailable", "Too many pages are open. Try again shortly.");
        response.setHeader("Content-Type", "text/event-stream");
        response.setHeader("X-Accel-Buffering", "no");
        if (request.method === "HEAD") return void response.end();
        response.flushHeaders();
        response.write("retry: 3000\n\n");
        if (!response.destroyed) add(keyOf(merchant), { token, userId, merchantId: merchant.id, response });
      });
      app.all(`${SCOPE}/live`, onlyMethods("GET"));
    },
    component: {
      name: "live",
      start: async () => {
        wake(collectionRecorded, "collections", "deliveries", "events");
        wake(transferRecorded, "transfers", "deliveries", "events");
        wake(sessionChanged, "sessions");
        await bus.nats.flush();
        timers.push(
          setInterval(() => {
            for (const stream of streams) write(stream, ":\n\n");
          }, everyMs.comment),
          setInterval(() => {
            void endWhatIsOver().catch((error) => log.warn({ err: error }, "who may still look is not known"));
          }, everyMs.check),
        );
      },
      stop: async () => {
        stopped = true;
        for (const timer of timers) clearInterval(timer);
        for (const { response } of streams) response.end();
      },
    },
  };
}

const keyOf = ({ id, mode }: { id: string; mode: string }) => `${id} ${mode}`;
