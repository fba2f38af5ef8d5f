import { useQueryClient } from "@tanstack/react-query";

/** After the signed-in person changed: what was read for the one before is dropped, and who it is now is read. */
export function useEntered(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "me" });
    await client.invalidateQueries({ queryKey: ["me"] });
  };
}
