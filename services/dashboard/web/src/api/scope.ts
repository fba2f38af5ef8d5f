import type { MemberRole, Mode } from "@collect/contracts";
import { createContext, useContext } from "react";
import type { Me } from "./me.ts";

/** The merchant and mode: every page inside the shell belongs to one of each. */
export type Scope = {
  me: Me;
  merchantId: string;
  merchantName: string;
  mode: Mode;
  role: MemberRole;
  /** The base path of the pages of this merchant and mode: `/m/mer_…/test`. */
  home: string;
  /** The base path of the API of this merchant and mode: `/api/m/mer_…/test`. */
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
