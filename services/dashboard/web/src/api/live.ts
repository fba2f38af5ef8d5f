import type { LiveKind } from "@collect/dashboard";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Noun } from "./calls.ts";
import { useScope } from "./scope.ts";
import { followStream } from "./stream.ts";

/** The nouns to refetch for each kind of change, including those that show it indirectly. */
const READ_AGAIN: Record<LiveKind, Noun[]> = {
  collections: [
    "collections",
    "payers",
    "customers",
    "sessions",
    "balance",
    "collection-days",
    "checklist",
    "settlements",
    "inbox",
  ],
  sessions: ["sessions", "links", "customers", "inbox"],
  transfers: ["transfers", "balance", "inbox"],
  deliveries: ["deliveries", "events", "collections", "transfers", "webhook", "checklist", "requests"],
  events: ["events", "deliveries", "collections", "transfers", "requests"],
};

const BY_KIND = new Map<string, Noun[]>(Object.entries(READ_AGAIN));

/** Keeps the page up to date while it is visible. */
export function useLiveUpdates(): void {
  const { merchantId, mode, api } = useScope();
  const client = useQueryClient();
  useEffect(() => {
    const readAgain = readerOf(client, [merchantId, mode]);
    const changes = changesFor(readAgain);
    const end = followStream(`${api}/live`, { onChanged: changes.report, onMissed: () => readAgain() });
    return () => {
      end();
      changes.end();
    };
  }, [api, client, merchantId, mode]);
}

/** The Inbox is nine reads of other services: what changes within this time is read at once, at its end. */
const INBOX_AFTER_MS = 5_000;

/** Refetches what the kinds of changes concern. */
export function changesFor(readAgain: (noun: Noun) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const readInbox = () => {
    timer = undefined;
    readAgain("inbox");
  };
  return {
    report(kinds: string[]): void {
      for (const noun of new Set(kinds.flatMap((kind) => BY_KIND.get(kind) ?? []))) {
        if (noun === "inbox") timer ??= setTimeout(readInbox, INBOX_AFTER_MS);
        else readAgain(noun);
      }
    },
    end: () => clearTimeout(timer),
  };
}

/**
 * Refetches a noun, or everything. A read in progress is never canceled, or one that is slower than the events would
 * never finish; a change in the meantime causes one more read afterwards.
 */
export function readerOf(client: QueryClient, scope: string[]): (noun?: string) => void {
  const reading = new Set<string | undefined>();
  const again = new Set<string | undefined>();
  async function read(noun: string | undefined): Promise<void> {
    if (reading.has(noun)) return void again.add(noun);
    reading.add(noun);
    const queryKey = noun === undefined ? scope : [...scope, noun];
    if (client.isFetching({ queryKey }) > 0) again.add(noun);
    do await client.invalidateQueries({ queryKey }, { cancelRefetch: false });
    while (again.delete(noun));
    reading.delete(noun);
  }
  return (noun) => void read(noun);
}
