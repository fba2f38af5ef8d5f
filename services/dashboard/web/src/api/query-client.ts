import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiProblem } from "./problem.ts";

/** When the session ends or is revoked, the user is asked to sign in, on any page, and told why it has ended. */
function onError(error: unknown): void {
  if (!(error instanceof ApiProblem)) return;
  if (error.code !== "sign_in_required" && error.code !== "session_ended") return;
  if (error.code === "session_ended") queryClient.setQueryData(WHY_ENDED, error.message);
  queryClient.setQueryData(["me"], null);
}

/** The key of the sentence that the sign-in page shows. */
export const WHY_ENDED = ["why ended"];

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
