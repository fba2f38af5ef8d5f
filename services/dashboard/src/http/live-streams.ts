import type { Response } from "express";
import { KINDS, type Kind, repeatedFor } from "../domain/live-updates.ts";

export type Stream = { token: string; userId: string; merchantId: string; response: Response };
export type MerchantMode = { id: string; mode: string };

/** A page is notified after half a second, so that concurrent changes are one message… */
const NOTIFY_AFTER_MS = 500;
/** …and at most once a second. */
const NOTIFY_INTERVAL_MS = 1_000;
/** A client that does not read is disconnected; it reconnects and refetches. */
const UNSENT_BYTES_MAX = 64 * 1024;

type Scope = { streams: Set<Stream>; pending: Set<Kind>; timer: NodeJS.Timeout | undefined; notifiedAt: number };

/** The open streams of a process, by merchant and mode. */
export function createStreams() {
  const scopes = new Map<string, Scope>();
  const streams = new Set<Stream>();

  function enqueue(scope: Scope, kinds: readonly Kind[]): void {
    for (const kind of kinds) scope.pending.add(kind);
    const wait = Math.max(NOTIFY_AFTER_MS, scope.notifiedAt + NOTIFY_INTERVAL_MS - performance.now());
    if (scope.pending.size > 0) scope.timer ??= setTimeout(() => notify(scope), wait);
  }

  function notify(scope: Scope): void {
    const kinds = scope.pending;
    Object.assign(scope, { pending: new Set(), timer: undefined, notifiedAt: performance.now() });
    const what = KINDS.filter((kind) => kinds.has(kind));
    for (const stream of scope.streams) write(stream, `event: changed\ndata: ${JSON.stringify({ what })}\n\n`);
    enqueue(scope, repeatedFor(kinds));
  }

  return {
    all: streams,
    /** Adds a stream until its connection closes. */
    add(merchant: MerchantMode, stream: Stream): void {
      const key = keyOf(merchant);
      const scope = scopes.get(key) ?? { streams: new Set(), pending: new Set(), timer: undefined, notifiedAt: 0 };
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
    },
    /** Notifies the pages of this merchant and mode to refetch these kinds. */
    changed(merchant: MerchantMode, kinds: readonly Kind[]): void {
      const scope = scopes.get(keyOf(merchant));
      if (scope) enqueue(scope, kinds);
    },
    /** Keeps idle connections open through proxies. */
    comment(): void {
      for (const stream of streams) write(stream, ":\n\n");
    },
  };
}

function write({ response }: Stream, text: string): void {
  if (response.writableLength > UNSENT_BYTES_MAX) response.destroy();
  else response.write(text);
}

const keyOf = ({ id, mode }: MerchantMode) => `${id} ${mode}`;
