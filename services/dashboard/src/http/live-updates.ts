import type { Bus } from "@collect/bus";
import {
  attachmentRecorded,
  collectionRecorded,
  type FactEvent,
  MerchantScope,
  Problem,
  reversalRecorded,
  sessionChanged,
  transferRecorded,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type HttpApp, onlyMethods } from "@collect/http";
import type { Component, Logger } from "@collect/runtime";
import type { Request, Response } from "express";
import { z } from "zod";
import type { Config } from "../config.ts";
import type { Kind } from "../domain/live-updates.ts";
import { findStillAllowed } from "../store/sessions.ts";
import { createStreams } from "./live-streams.ts";
import { memberOf, SCOPE } from "./merchant-routes.ts";
import { limitsOf, type Sessions } from "./sessions.ts";

/** Open streams per process, per merchant in both modes, per session, and per user in all sessions. */
const STREAMS_MAX = 2_000;
const STREAMS_PER_MERCHANT_MAX = 500;
const STREAMS_PER_SESSION_MAX = 12;
const STREAMS_PER_USER_MAX = 24;
const COMMENT_INTERVAL_MS = 20_000;
const CHECK_INTERVAL_MS = 60_000;

const AboutMerchant = z.looseObject({ merchant: MerchantScope });

export type Live = { route: (app: HttpApp) => void; component: Component };

type Deps = {
  bus: Bus;
  config: Config;
  pool: Pool;
  sessions: Sessions;
  log: Logger;
  everyMs?: { comment: number; check: number };
  perMerchantMax?: number;
};
type Streams = ReturnType<typeof createStreams>;

/** Notifies the open pages of a merchant and mode when something changes. A page reads the change itself. */
export function createLive(deps: Deps): Live {
  const streams = createStreams();
  let stopped = false;
  return {
    route(app) {
      app.get(`${SCOPE}/live`, (request, response) => {
        if (stopped) throw busy();
        return open(deps, streams, request, response);
      });
      app.all(`${SCOPE}/live`, onlyMethods("GET"));
    },
    component: notifier(deps, streams, () => {
      stopped = true;
    }),
  };
}

async function open(
  { sessions, perMerchantMax = STREAMS_PER_MERCHANT_MAX }: Deps,
  streams: Streams,
  request: Request,
  response: Response,
): Promise<void> {
  const { token, user_id: userId, merchant } = await memberOf(request, response, { permission: "read", sessions });
  const ofUser = [...streams.all].filter((stream) => stream.userId === userId);
  const ofSession = ofUser.filter((stream) => stream.token === token);
  if (ofSession.length >= STREAMS_PER_SESSION_MAX || ofUser.length >= STREAMS_PER_USER_MAX)
    throw new Problem("rate_limited", "Too many pages are open.");
  const ofMerchant = [...streams.all].filter((stream) => stream.merchantId === merchant.id);
  if (ofMerchant.length >= perMerchantMax)
    throw new Problem("rate_limited", "Too many pages of this business are open.");
  if (streams.all.size >= STREAMS_MAX) throw busy();
  response.setHeader("Content-Type", "text/event-stream");
  response.setHeader("X-Accel-Buffering", "no");
  if (request.method === "HEAD") return void response.end();
  response.flushHeaders();
  response.write("retry: 3000\n\n");
  if (!response.destroyed) streams.add(merchant, { token, userId, merchantId: merchant.id, response });
}

const busy = () => new Problem("service_unavailable", "Too many pages are open. Try again shortly.");

function notifier({ bus, config, pool, log, everyMs }: Deps, streams: Streams, onStop: () => void): Component {
  const { comment, check } = everyMs ?? { comment: COMMENT_INTERVAL_MS, check: CHECK_INTERVAL_MS };
  const timers: NodeJS.Timeout[] = [];

  function notifyOn(event: FactEvent, ...kinds: Kind[]): void {
    const onFacts = (facts: unknown[]) => {
      for (const fact of facts) {
        const about = AboutMerchant.safeParse(fact);
        if (about.success) streams.changed(about.data.merchant, kinds);
      }
    };
    bus.listen(event, onFacts, () => streams.all.size > 0);
  }

  return {
    name: "live",
    async start() {
      notifyOn(collectionRecorded, "collections", "deliveries", "events");
      notifyOn(reversalRecorded, "collections", "sessions", "deliveries", "events");
      notifyOn(attachmentRecorded, "collections", "deliveries", "events");
      notifyOn(transferRecorded, "transfers", "deliveries", "events");
      notifyOn(sessionChanged, "sessions");
      await bus.flush();
      const endRevoked = () =>
        void endStreamsOfRevoked({ pool, config }, streams).catch((error) =>
          log.warn({ err: error }, "the permissions of open pages cannot be checked"),
        );
      timers.push(setInterval(streams.comment, comment), setInterval(endRevoked, check));
    },
    async stop() {
      onStop();
      for (const timer of timers) clearInterval(timer);
      for (const { response } of streams.all) response.end();
    },
  };
}

/** Ends the streams of users who have since signed out or been removed from the team. */
async function endStreamsOfRevoked({ pool, config }: Pick<Deps, "pool" | "config">, streams: Streams): Promise<void> {
  const open = [...streams.all];
  const allowed = await findStillAllowed(pool, open, limitsOf(config));
  for (const [index, { response }] of open.entries()) if (!allowed.has(index)) response.end();
}
