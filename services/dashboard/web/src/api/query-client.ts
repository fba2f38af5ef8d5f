import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiProblem } from "./problem.ts";

/** When the session expires or is revoked, the user is asked to sign in, on any page. */
function onError(error: unknown): void {
  if (error instanceof ApiProblem && error.code === "sign_in_required") queryClient.setQueryData(["me"], null);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A refusal is final; an unreachable server is retried.
      retry: (count, error) => count < 2 && error instanceof ApiProblem && (error.status === 0 || error.status >= 502),
      refetchOnWindowFocus: true,
    },
  },
});
