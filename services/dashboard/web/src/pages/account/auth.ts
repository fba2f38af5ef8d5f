import { useQueryClient } from "@tanstack/react-query";
import { call, type Fields } from "../../api/client.ts";

/** A call of the sign-in library, behind the dashboard's own doors: it refuses as everything else does. */
export const callAuth = <Reply>(method: "GET" | "POST", path: string, fields: Fields = {}): Promise<Reply> =>
  call<Reply>(method, `/api/auth/${path}`, fields);

/** What signing in leads to: in, or to the second step first. */
export type SignedIn = { twoFactorRedirect?: boolean };

/** After the signed-in person changed: what was read for the one before is forgotten, and who it is now is read. */
export function useEntered(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "me" });
    await client.invalidateQueries({ queryKey: ["me"] });
  };
}
