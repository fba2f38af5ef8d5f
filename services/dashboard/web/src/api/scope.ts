import type { MemberRole, Mode } from "@collect/contracts";
import { createContext, useContext } from "react";
import type { Me } from "./me.ts";

/** Whose money is shown, and in which mode: every page below the shell is about one merchant and one mode. */
export type Scope = {
  me: Me;
  merchantId: string;
  merchantName: string;
  mode: Mode;
  role: MemberRole;
  /** Where the pages of this merchant and mode are: `/m/mer_…/test`. */
  home: string;
  /** Where the API of this merchant and mode is: `/api/m/mer_…/test`. */
  api: string;
};

export const ScopeContext = createContext<Scope | null>(null);

export function useScope(): Scope {
  const scope = useContext(ScopeContext);
  if (!scope) throw new Error("this page is not inside a merchant's scope");
  return scope;
}

const RANK: Record<MemberRole, number> = { viewer: 0, developer: 1, owner: 2 };

/** Whether the signed-in person's role is at least this one. The server decides; this only hides what would be refused. */
export function useMay(least: MemberRole): boolean {
  return RANK[useScope().role] >= RANK[least];
}
