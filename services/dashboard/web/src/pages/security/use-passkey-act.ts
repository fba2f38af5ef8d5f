import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { readPerson } from "../../api/calls.ts";
import { useReauthentication } from "../../api/reauthentication.tsx";

export type Passkey = Awaited<ReturnType<typeof readPerson<"auth/passkey/list-user-passkeys">>>[number];

/** Who the user is, and which passkeys there are, changes with each of these acts. */
export function usePasskeyAct<Given>(act: (given: Given) => Promise<unknown>, onDone: () => void) {
  const client = useQueryClient();
  const confirmed = useReauthentication();
  return useMutation({
    mutationFn: (given: Given) => confirmed(() => act(given)),
    onSuccess: async () => {
      await Promise.all(["me", "passkeys", "devices"].map((noun) => client.invalidateQueries({ queryKey: [noun] })));
      onDone();
    },
  });
}
