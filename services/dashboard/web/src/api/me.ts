import type { MemberRole } from "@collect/contracts";
import { useQuery } from "@tanstack/react-query";
import { call } from "./client.ts";

export type Membership = { merchant_id: string; name: string; role: MemberRole; verified_at: string | null };
export type Me = {
  user: { id: string; name: string; email: string; two_factor_enabled: boolean; has_password: boolean };
  session: { id: string; recently_authenticated_until: string | null };
  merchants: Membership[];
  urls: { api: string; checkout: string };
};

/** Who is signed in; null when nobody is. */
export function useMe() {
  return useQuery({
    queryKey: ["me"],
    queryFn: () => call<Me | null>("GET", "/api/me", { optional: true }),
    staleTime: 60_000,
  });
}
