import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useScope } from "./scope.ts";

/** What is read again when something of the kind has changed. */
const READ_AGAIN: Record<string, string[]> = {
  collections: ["collections", "payers", "balance", "collection-days", "checklist", "settlements"],
  sessions: ["sessions", "links"],
  transfers: ["transfers", "balance"],
  deliveries: ["deliveries", "webhook", "checklist"],
  events: ["events", "deliveries"],
};

/** Keeps what is on the screen up to date while the page is open. The browser connects again by itself. */
export function useLiveUpdates(): void {
  const { merchantId, mode, api } = useScope();
  const client = useQueryClient();
  useEffect(() => {
    const source = new EventSource(`${api}/live`);
    source.addEventListener("changed", (event) => {
      const { what }: { what: string[] } = JSON.parse(event.data);
      const nouns = new Set(what.flatMap((kind) => READ_AGAIN[kind] ?? []));
      for (const noun of nouns) void client.invalidateQueries({ queryKey: [merchantId, mode, noun] });
    });
    return () => source.close();
  }, [api, client, merchantId, mode]);
}
