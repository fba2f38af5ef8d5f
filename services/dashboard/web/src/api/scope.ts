import type { Mode } from "@collect/contracts";
import type { Permission } from "@collect/dashboard";
import { createContext, useContext } from "react";
import type { Me } from "./me.ts";

/** The merchant and mode: every page inside the shell belongs to one of each. */
export type Scope = {
  me: Me;
  merchantId: string;
  merchantName: string;
  mode: Mode;
  /** What the signed-in person's role may do here. */
  permissions: readonly Permission[];
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

/** Whether the signed-in person may do this. The server decides; this only hides what would be refused. */
export function useMay(permission: Permission): boolean {
  return useScope().permissions.includes(permission);
}
