import { useSyncExternalStore } from "react";

/** A line of a day's difference that was chosen to be matched by hand. Its amount is how much more the bank has because of it. */
export type Chosen = { key: string; day: string; account: string; amount: string; what: string };

let chosen: readonly Chosen[] = [];
const listeners = new Set<() => void>();

/** What was chosen, on every day's page: what belongs together may be of several days. */
export const useChosen = (): readonly Chosen[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => chosen,
  );

export function choose(next: readonly Chosen[]): void {
  chosen = next;
  for (const notify of listeners) notify();
}
