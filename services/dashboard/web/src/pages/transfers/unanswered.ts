import { useSessionStorage } from "@mantine/hooks";
import { ApiProblem } from "../../api/problem.ts";
import { useScope } from "../../api/scope.ts";
import type { NamedAccount } from "../../components/bank-account.tsx";
import type { Order } from "./order.ts";

/** An order that was sent and whose answer is not known. Until it is, no other is made: it could be the same money twice. */
export type Unanswered = { order: Order; account: NamedAccount; asked_at: number };

/** Kept in the browser's tab from the press until the answer, so that neither closing nor reloading forgets it. */
export function useUnanswered() {
  const { me, merchantId, mode } = useScope();
  const [unanswered, keep, drop] = useSessionStorage<Unanswered | null>({
    key: `unanswered-transfer ${me.user.id} ${merchantId} ${mode}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  return { unanswered, keep, drop };
}

/** Said of the order itself. Any other refusal came before it was looked at, and tells nothing of what was sent earlier. */
const ON_THE_ORDER = new Set<string>(["insufficient_balance", "account_unresolved", "reference_conflict"]);

/** Whether the failure leaves open if the transfer was made. */
export function isOpenAfter(problem: unknown, wasUnanswered: boolean): boolean {
  if (!(problem instanceof ApiProblem)) return true;
  if (problem.status === 0 || problem.status >= 500) return true;
  return wasUnanswered && !ON_THE_ORDER.has(problem.code);
}
