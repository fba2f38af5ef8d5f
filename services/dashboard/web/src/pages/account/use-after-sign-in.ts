import { useQueryClient } from "@tanstack/react-query";

/** After a sign-in: clears the previous user's cache and reads the new user. */
export function useAfterSignIn(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "me" });
    await client.invalidateQueries({ queryKey: ["me"] });
  };
}
