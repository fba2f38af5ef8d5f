import { type Query, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiProblem } from "./problem.ts";
import { useScope } from "./scope.ts";

/** A read that takes longer is reported. A service that is away is to be reported within 3 seconds. */
const SLOW_MS = 2_000;
const LOOK_MS = 250;
/** How often what has failed is read again while the page is visible. */
const AGAIN_MS = 10_000;

/**
 * The nouns on this page whose service doesn't answer: a read failed for that reason, or takes too long. What was read before stays
 * on the page, and is read again until that succeeds.
 */
export function useAway(): string[] {
  const { merchantId, mode } = useScope();
  const client = useQueryClient();
  const [away, setAway] = useState<string[]>([]);
  useEffect(() => {
    const shown = { queryKey: [merchantId, mode], type: "active" } as const;
    const reading = new Map<string, number>();
    const look = () => {
      const nouns = client
        .getQueryCache()
        .findAll(shown)
        .filter((query) => hasFailed(query) || isSlow(query, reading))
        .map(({ queryKey }) => String(queryKey[2]));
      setAway((before) => (before.join() === [...new Set(nouns)].join() ? before : [...new Set(nouns)]));
    };
    const again = () => {
      if (document.visibilityState === "visible")
        void client.refetchQueries({ ...shown, predicate: hasFailed }, { cancelRefetch: false });
    };
    const looking = setInterval(look, LOOK_MS);
    const trying = setInterval(again, AGAIN_MS);
    return () => {
      clearInterval(looking);
      clearInterval(trying);
    };
  }, [client, merchantId, mode]);
  return away;
}

/** `reading` notes since when each read has been under way. */
function isSlow({ queryHash, state }: Query, reading: Map<string, number>): boolean {
  if (state.fetchStatus !== "fetching") {
    reading.delete(queryHash);
    return false;
  }
  const since = reading.get(queryHash) ?? Date.now();
  reading.set(queryHash, since);
  return Date.now() - since > SLOW_MS;
}

/** Also while it is tried again. A refusal is an answer. */
function hasFailed({ state }: Query): boolean {
  const reason = state.fetchFailureReason ?? state.error;
  return reason instanceof ApiProblem && (reason.status === 0 || reason.status >= 500);
}
