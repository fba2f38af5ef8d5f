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
  ],
  sessions: ["sessions", "links", "customers"],
  transfers: ["transfers", "balance"],
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
    return followStream(`${api}/live`, {
      onChanged: (what) => {
        for (const noun of new Set(what.flatMap((kind) => BY_KIND.get(kind) ?? []))) readAgain(noun);
      },
      onMissed: () => readAgain(),
    });
  }, [api, client, merchantId, mode]);
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
