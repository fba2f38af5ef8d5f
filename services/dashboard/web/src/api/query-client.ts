import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiProblem } from "./problem.ts";

/** A person who is signed out, by time or from elsewhere, is asked to sign in wherever they are. */
function onError(error: unknown): void {
  if (error instanceof ApiProblem && error.code === "sign_in_required") queryClient.setQueryData(["me"], null);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A refusal stays a refusal; what is unreachable for a moment is asked again.
      retry: (count, error) => count < 2 && error instanceof ApiProblem && (error.status === 0 || error.status >= 502),
      refetchOnWindowFocus: true,
    },
  },
});
